import type { Task } from '../../core/task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { shownCode } from '../../syntax/shown-code.ts';
import { enumerateEdits, type ProjectHints } from '../operators/enumerate.ts';
import type { SearchClock } from './search-clock.ts';

/**
 * The programs that a single edit of a task's function gives, likeliest first. Yields null in between, so that a caller
 * can pause.
 * @param project null for a task
 */
export function* singleEdits(
  parser: SyntaxParser,
  task: Task,
  limit: number,
  project: ProjectHints | null = null,
): Generator<string | null> {
  for (const mutant of enumerateEdits(parser, shownCode(task.buggy), task.entryPoint, limit, project))
    yield mutant && `${mutant.code}\n`;
}

/**
 * Collects what a long computation yields, without nulls. It pauses for other work in between, and ends early
 * at the time limit. Rejects with the signal's reason soon after an abort.
 */
export async function collected<T>(
  computation: Iterable<T | null>,
  clock: SearchClock,
  signal?: AbortSignal,
): Promise<T[]> {
  const found: T[] = [];
  clock.begin();
  try {
    for (const value of computation) {
      if (value !== null) found.push(value);
      const paused = clock.pause(signal);
      if (paused) await paused;
      if (paused && clock.isUp()) break;
    }
  } finally {
    clock.end();
  }
  return found;
}
