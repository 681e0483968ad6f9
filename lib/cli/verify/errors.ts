import { HefixError } from '../../core/errors.ts';

export function solutionMissing(dataset: string, taskId: string): HefixError {
  return new HefixError(
    'DATASET_COLUMN_MISSING',
    `${dataset} has no canonical_solution for ${taskId}.`,
    'verify needs the correct solution of every task; --columns canonical_solution=… names its column.',
  );
}

/** `name`: the task and the sample. */
export function solutionBroke(name: string, cause: { code: string; message: string }): HefixError {
  return new HefixError(
    'SOLUTION_BROKE',
    `${name} could not be judged: ${cause.code}: ${cause.message}`,
    'Fix the cause, then run the same command with --out and --resume.',
  );
}
