import { HefixError } from '../../core/errors.ts';
import { RAISE_LIMITS } from '../../model/server/errors.ts';
import { NEVER_STOP } from '../../run/errors.ts';

export function sweepInterrupted(folder: string, done: number, runs: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${done} of ${runs} runs are done, and nothing recorded in ${folder} is lost.`,
    'To resume, run the same command with --resume.',
  );
}

/**
 * An error that ended one run of a sweep: the hint names that run's file, and a sweep is resumed as a whole.
 */
export function sweepStopped(error: HefixError): HefixError {
  const hints: Readonly<Record<string, string>> = {
    TOO_MANY_ERRORS: `Fix the cause, then run the same command with --resume: tasks in error run again. ${NEVER_STOP}`,
    BACKEND_LIMITED: `Run the same command again later with --resume. ${RAISE_LIMITS}`,
  };
  const hint = hints[error.code];
  return hint === undefined ? error : new HefixError(error.code, error.message, hint, error);
}
