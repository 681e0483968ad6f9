import type { Task } from '../core/task.ts';
import { closest } from '../options/closest.ts';
import { tasksUnknown } from './errors.ts';

/**
 * Selects tasks of a dataset, in the dataset's order. `tasks` are ids (`mini/3`), their last parts (`3`) or
 * globs (`mini/1*`), separated by commas.
 * @throws HefixError (`TASKS_UNKNOWN`) for a pattern that no task matches.
 */
export function selectTasks(
  all: readonly Task[],
  { tasks, limit }: { readonly tasks?: string | undefined; readonly limit?: number | undefined },
  dataset: string,
): Task[] {
  const chosen = tasks === undefined ? all : matching(all, tasks, dataset);
  return chosen.slice(0, limit);
}

function matching(all: readonly Task[], tasks: string, dataset: string): Task[] {
  const patterns = tasks.split(',').map(pattern => pattern.trim());
  const matches = patterns
    .filter(pattern => pattern !== '')
    .map(pattern => ({ pattern, test: matcher(pattern) }));
  for (const { pattern, test } of matches) {
    if (!all.some(task => test(task.id))) {
      throw tasksUnknown(
        pattern,
        dataset,
        closest(
          pattern,
          all.map(task => task.id),
        ),
      );
    }
  }
  return all.filter(task => matches.some(({ test }) => test(task.id)));
}

/** `*` matches any text and `?` any one character; slashes are not special. */
function matcher(pattern: string): (id: string) => boolean {
  const source = pattern
    .replaceAll(/[\\^$+.()|[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const whole = new RegExp(`^${source}$`, 'su');
  return id => whole.test(id) || whole.test(id.slice(id.lastIndexOf('/') + 1));
}
