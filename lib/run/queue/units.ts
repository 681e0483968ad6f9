import { createHash } from 'node:crypto';
import type { Task } from '../../core/task.ts';
import type { Job } from '../plan.ts';
import type { QueueJob } from './work-queue.ts';

/** One task and sample of a run. */
export interface Unit extends Job {
  /** Hash of what decides its result. */
  readonly key: string;
}

export interface Batch {
  readonly id: string;
  readonly units: readonly Unit[];
}

export function unitsOf(runId: string, jobs: readonly Job[]): Unit[] {
  return jobs.map(job => ({ ...job, key: hashOf([runId, job.task.id, String(job.sample)]) }));
}

/** Batches depend on the plan alone, so that a coordinator that starts again adds the same jobs. */
export function batchesOf(units: readonly Unit[], size: number): Batch[] {
  const batches: Batch[] = [];
  for (let start = 0; start < units.length; start += size) {
    const some = units.slice(start, start + size);
    const [first] = some;
    const id = some.length === 1 && first ? first.key : hashOf(some.map(({ key }) => key));
    batches.push({ id, units: some });
  }
  return batches;
}

/** Cheap units share a job, at most 64, but not so many that few jobs are left for the workers. */
export function batchSize(units: number, areCheap: boolean): number {
  return areCheap ? Math.max(1, Math.min(64, Math.ceil(units / 256))) : 1;
}

/** `0.0 0.1 3.0`: the index of the task in the dataset, and of the sample. */
export function writeUnits(units: readonly Job[]): string {
  return units.map(({ index, sample }) => `${index}.${sample}`).join(' ');
}

/** The units that `writeUnits` named. */
export function readUnits({ units }: QueueJob, tasks: readonly Task[]): Job[] {
  return units.split(' ').map(unit => {
    const [index = Number.NaN, sample = Number.NaN] = unit.split('.').map(Number);
    const task = tasks[index];
    if (task === undefined) throw new Error(`The dataset has no task ${index}.`);
    return { task, index, sample };
  });
}

/** 160 bits. The letter keeps the hash from being a number, which is no id of a job. */
function hashOf(parts: readonly string[]): string {
  return `u${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`;
}
