import { createHash } from 'node:crypto';
import { keyOf } from '../../core/record.ts';
import type { Task } from '../../core/task.ts';
import type { Job } from '../plan.ts';
import type { QueueState } from '../run-events.ts';
import { lanes, type QueuedRun, type QueueJob, type WorkQueue } from './work-queue.ts';

/** Keeps the queue filled: what has no record and is lost, or was never added, is added again. */
export interface Requeue {
  /** Moves the units of jobs that killed their workers to the lane of suspects. Resolves with those that did so there too. */
  takeCrashed(): Promise<readonly Unit[]>;
  /**
   * Adds what the queue has lost: fewer jobs are in it than have units without a record. `counts` must be older than
   * the records: a unit that is missing now had a job then.
   */
  addLost(missing: ReadonlyMap<string, Unit>, counts: QueueState): Promise<void>;
  /** Adds a job for every unit without a record; jobs that the queue holds stay as they are. */
  addAll(missing: ReadonlyMap<string, Unit>): Promise<number>;
}

export function createRequeue(queue: WorkQueue, run: QueuedRun, batches: readonly Batch[]): Requeue {
  const byUnit = new Map(batches.flatMap(batch => batch.units.map(unit => [writeUnits([unit]), unit])));
  const suspects = new Set<string>();
  const jobOf = (id: string, units: readonly Unit[]): QueueJob => ({
    id,
    run: run.id,
    units: writeUnits(units),
  });
  const isMissing = (missing: ReadonlyMap<string, Unit>) => (unit: Unit) =>
    missing.has(keyOf(unit.task.id, unit.sample));

  const addAll = async (missing: ReadonlyMap<string, Unit>) => {
    const jobs = { units: [] as QueueJob[], suspects: [] as QueueJob[] };
    for (const { id, units } of batches) {
      const left = units.filter(isMissing(missing));
      const unsuspected = left.filter(({ key }) => !suspects.has(key));
      if (unsuspected.length > 0) jobs.units.push(jobOf(id, unsuspected));
      for (const unit of left) if (suspects.has(unit.key)) jobs.suspects.push(jobOf(unit.key, [unit]));
    }
    for (const lane of lanes) await queue.add(jobs[lane], lane);
    return jobs.units.length + jobs.suspects.length;
  };

  return {
    addAll,
    async takeCrashed() {
      const jobs = (await queue.takeCrashed('units')).filter(job => job.run === run.id);
      const units = jobs.flatMap(job => job.units.split(' ')).flatMap(name => byUnit.get(name) ?? []);
      for (const { key } of units) suspects.add(key);
      await queue.add(
        units.map(unit => jobOf(unit.key, [unit])),
        'suspects',
      );
      const again = (await queue.takeCrashed('suspects')).filter(job => job.run === run.id);
      return again.flatMap(job => byUnit.get(job.units) ?? []);
    },
    async addLost(missing, { waiting, active }) {
      const held = waiting + active;
      // Counting the jobs is only worth it where some may be missing.
      if (held >= Math.max(1, missing.size / run.batch) && held > FEW) return;
      const jobs = batches.filter(({ units }) => units.some(isMissing(missing))).length;
      if (held < jobs) await addAll(missing);
    },
  };
}

const FEW = 1000;

/** One task and sample of a run. */
export interface Unit extends Job {
  /** Hash of what decides its result. */
  readonly key: string;
}

interface Batch {
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
function writeUnits(units: readonly Job[]): string {
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
