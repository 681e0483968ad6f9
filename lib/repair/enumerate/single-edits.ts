import type { Task } from '../../core/task.ts';
import { editText } from '../../edits/edit-answer.ts';
import { canonicalEdits } from '../../edits/edit-canonical.ts';
import { shownCode } from '../../prompt/fence.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { enumerateEdits, type ProjectHints } from '../operators/enumerate.ts';
import type { SearchClock } from './search-clock.ts';

/**
 * The single edits of a task's function, in the answer form of a model that writes edits, likeliest first.
 * Yields null in between, so that a caller can pause.
 * @param project null for a task
 */
export function* singleEdits(
  parser: SyntaxParser,
  task: Task,
  limit: number,
  project: ProjectHints | null = null,
): Generator<string | null> {
  const shown = shownCode(task.buggy);
  const given = new Set<string>(['']);
  for (const mutant of enumerateEdits(parser, shown, task.entryPoint, limit, project)) {
    const text = mutant && editText(canonicalEdits(shown, mutant.code));
    yield text === null || given.has(text) ? null : text;
    if (text !== null) given.add(text);
  }
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
