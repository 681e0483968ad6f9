import { eachOf } from '../core/async/each-of.ts';
import type { RunRecord } from '../core/record.ts';
import { isTooLong } from '../repair/errors.ts';
import { taskBroke } from './errors.ts';
import type { Job } from './plan.ts';
import type { RunEvents } from './run-events.ts';
import { EMPTY_ANSWER, type RunTaskInput, recordJob, stateKey } from './run-task.ts';

export interface RunTasksInput extends RunTaskInput {
  readonly jobs: readonly Job[];
  /** Number of concurrent jobs. */
  readonly workers: number;
  /** Stop at the first job that ends in an error. */
  readonly failFast: boolean;
  /** Stop after so many jobs in a row with the same error; 0 never does. */
  readonly maxErrors: number;
  /** Returns the error to stop with; `share` if the errors were not in a row. */
  readonly tooMany: (count: number, cause: NonNullable<RunRecord['error']>, share?: string) => Error;
  readonly append: (record: RunRecord) => Promise<void>;
  readonly events: RunEvents;
}

/**
 * Runs the agent on each job, several concurrently, and appends a record when a job ends: while one job
 * executes tests, the model writes for another. Rejects with the signal's reason if aborted, or with the first
 * error; running jobs are then stopped and not recorded.
 */
export async function runTasks(input: RunTasksInput): Promise<void> {
  const errors = createErrorCount(input);
  const run = (job: Job, signal: AbortSignal) => runAndRecord(job, { ...input, signal }, errors);
  await eachOf(input.jobs, input.workers, run, input.signal);
}

async function runAndRecord(job: Job, input: RunTasksInput, errors: ErrorCount): Promise<void> {
  const events = input.events.started(job);
  const record = await recordJob(job, events, input);
  await input.append(record);
  input.states?.remove(stateKey(job));
  events.ended(record);
  errors.check(record);
}

/** More empty answers than this say nothing about the model. */
const MAX_EMPTY_SHARE = 0.1;

/** Counts consecutive jobs, in order of completion, with the same error. */
export interface ErrorCount {
  /** Throws the error to stop with, if this record is one too many. */
  check(record: RunRecord): void;
}

/**
 * Empty answers count however many tasks lie between them. An error caused by the task itself (invalid tests, a
 * conversation that is too long) neither counts nor ends a series.
 */
export function createErrorCount({
  failFast,
  maxErrors,
  tooMany,
}: Pick<RunTasksInput, 'failFast' | 'maxErrors' | 'tooMany'>): ErrorCount {
  let [code, count] = ['', 0];
  let [jobs, empty] = [0, 0];
  return {
    check({ task_id, error, attempts }) {
      jobs++;
      if (error === null) {
        count = 0;
        return;
      }
      if (failFast) throw taskBroke(task_id, error);
      if (error.code === 'TESTS_INVALID' || (isTooLong(error.code) && attempts.length > 0)) return;
      count = error.code === code ? count + 1 : 1;
      code = error.code;
      if (maxErrors > 0 && count >= maxErrors) throw tooMany(count, error);
      if (code !== EMPTY_ANSWER) return;
      empty++;
      if (maxErrors > 0 && empty >= maxErrors && empty > jobs * MAX_EMPTY_SHARE) {
        throw tooMany(empty, error, `${empty} of ${jobs} tasks`);
      }
    },
  };
}
