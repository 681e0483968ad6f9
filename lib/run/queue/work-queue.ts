import { z } from 'zod';
import { manifestSchema } from '../../report/results/manifest.ts';
import type { QueueState } from '../run-events.ts';

/**
 * The queue of a run on many machines. It is a cache of work: records are the truth, and units that the queue
 * loses are added again. Everything that hefix asks of a queue is here; `bullmq-queue.ts` implements it.
 */
export interface WorkQueue {
  /** For messages: the name and the server, without user and password. */
  readonly name: string;
  /** Settings of the server that could lose work; whole sentences. */
  readonly warnings: readonly string[];
  /** The run that the queue holds; null if there is none. */
  readRun(): Promise<QueuedRun | null>;
  /** Offers a run. Resolves with the one that the queue holds then, which may be one that was there before. */
  offerRun(run: QueuedRun): Promise<QueuedRun>;
  /** Adds jobs; one that the queue holds already is not added again. */
  add(jobs: readonly QueueJob[], lane: Lane): Promise<void>;
  /** Takes out the jobs that killed their workers too often. */
  takeCrashed(lane: Lane): Promise<readonly QueueJob[]>;
  /** Starts taking jobs. */
  work(settings: WorkSettings): QueueWorker;
  counts(): Promise<QueueState>;
  /** Workers take no more jobs until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Takes the run and all jobs out that no worker holds. */
  clear(): Promise<void>;
  /** Limits how many jobs all workers together start in a minute, suspects apart; 0 removes the limit. */
  limit(jobsPerMinute: number): Promise<void>;
  close(): Promise<void>;
}

/** What workers need to know about a run. */
export const queuedRunSchema = z.object({
  /** Hash of all that decides the results. */
  id: z.string(),
  manifest: manifestSchema,
  /** Absolute paths of what is a file or a folder on the coordinator's machine. */
  paths: z.object({ dataset: z.string(), model: z.string(), samples: z.string() }).partial(),
  /** The shared folder or bucket that collects the records. */
  shards: z.string(),
  /** The address that workers without that folder send their records to. */
  upload: z.string().optional(),
  /** The coordinator's results file. */
  out: z.string(),
  crashes: z.number(),
  lockSeconds: z.number(),
  batch: z.number(),
});
export type QueuedRun = Readonly<z.infer<typeof queuedRunSchema>>;

/** A job has one unit, or several cheap ones. */
export interface QueueJob {
  /** The key of its unit, or a hash of the keys. */
  readonly id: string;
  /** The run that the units belong to. */
  readonly run: string;
  /** Names the units; see `writeUnits`. */
  readonly units: string;
}

/** Units that killed their workers are tried again one at a time, apart from the others. */
export type Lane = 'units' | 'suspects';
export const lanes: readonly Lane[] = ['units', 'suspects'];

export interface WorkSettings {
  readonly lane: Lane;
  /** Jobs at once. */
  readonly concurrency: number;
  /** A worker that has not renewed its locks for so long loses its jobs to others. */
  readonly lockSeconds: number;
  /** A job that has killed so many workers is taken out. */
  readonly crashes: number;
  /** Resolves when the job's records are on the disk: with `returned`, other workers get the job. */
  readonly process: (job: QueueJob) => Promise<'done' | 'returned'>;
  readonly onError: (error: Error) => void;
}

export interface QueueWorker {
  /** Takes no more jobs, and resolves when those that run have ended. */
  close(): Promise<void>;
}
