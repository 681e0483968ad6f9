import { HefixError } from '../../core/errors.ts';

/** A generations.json names no tasks: it must have one list a task. */
export function generationsIncomplete(path: string, index: number): HefixError {
  return new HefixError(
    'GENERATIONS_INCOMPLETE',
    `${path} has no record of task ${index + 1} of its dataset.`,
    'generations.json identifies tasks by position: run all tasks, or the first ones with --ts.',
  );
}
