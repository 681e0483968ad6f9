import type { RunRecord } from '../core/record.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import { isTooLong } from '../repair/errors.ts';
import { EMPTY_ANSWER, taskBroke, tooManyErrors } from './errors.ts';

/** Counts consecutive jobs, in order of completion, with the same error. */
export interface ErrorCount {
  /** Throws the error to stop with, if this record is one too many. */
  check(record: Pick<RunRecord, 'task_id' | 'error' | 'attempts'>): void;
}

/** More empty answers than this say nothing about the model. */
const MAX_EMPTY_SHARE = 0.1;

/**
 * Stops a run at the first job in error (`failFast`), or after `maxErrors` with the same error; 0 never does. Empty
 * answers count however many tasks lie between them. An error caused by the task itself (invalid tests, a conversation
 * that is too long) neither counts nor ends a series.
 * @param path the results file, for the error's hint
 */
export function createErrorCount(
  { failFast, maxErrors }: Pick<RunOptions, 'failFast' | 'maxErrors'>,
  path: string,
): ErrorCount {
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
      if (maxErrors > 0 && count >= maxErrors) throw tooManyErrors(path, count, error);
      if (code !== EMPTY_ANSWER) return;
      empty++;
      if (maxErrors > 0 && empty >= maxErrors && empty > jobs * MAX_EMPTY_SHARE) {
        throw tooManyErrors(path, empty, error, `${empty} of ${jobs} tasks`);
      }
    },
  };
}
