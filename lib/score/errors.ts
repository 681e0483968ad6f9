import { HefixError, reason } from '../core/errors.ts';

export function samplesNotReadable(path: string, cause: unknown): HefixError {
  return new HefixError(
    'SAMPLES_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    'Check the path.',
    cause,
  );
}

export function samplesEmpty(path: string): HefixError {
  return new HefixError(
    'SAMPLES_EMPTY',
    `${path} holds no samples.`,
    'Give a file with at least one sample.',
  );
}

/** `where`: `line 3`, or `task 3, sample 0`; null if it is the whole file. */
export function samplesInvalid(path: string, where: string | null, what: string): HefixError {
  return new HefixError(
    'SAMPLES_INVALID',
    `${path}${where === null ? '' : `, ${where},`} ${what}.`,
    'Give JSON Lines with task_id and either completion or solution, or a generations.json: a list of lists of programs.',
  );
}

export function samplesUnknownTask(
  path: string,
  line: number,
  id: string,
  dataset: string,
  nearest: string | undefined,
): HefixError {
  return new HefixError(
    'SAMPLES_UNKNOWN_TASK',
    `${path}, line ${line}, is for the task ${JSON.stringify(id)}, which ${dataset} does not have.`,
    nearest === undefined ? 'Choose its dataset with --dataset and --lang.' : `Did you mean ${nearest}?`,
  );
}

export function samplesCount(path: string, lists: number, tasks: number, dataset: string): HefixError {
  return new HefixError(
    'SAMPLES_COUNT',
    `${path} holds samples of ${lists} tasks, but ${tasks} tasks of ${dataset} are selected.`,
    lists < tasks
      ? `Add --limit ${lists} if it holds the first ones.`
      : 'Choose its dataset with --dataset and --lang.',
  );
}
