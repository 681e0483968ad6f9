import { readEdits } from '../../edits/edit-answer.ts';
import { collected } from '../../repair/enumerate/collect.ts';
import { createSearchClock } from '../../repair/enumerate/search-clock.ts';
import { singleEdits } from '../../repair/enumerate/single-edits.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { FunctionTask } from './function-task.ts';

/** The single edits of a function, enumerated once and only as far as they are needed. */
export interface FunctionEdits {
  /**
   * All edits enumerated so far, at least `count` unless there are fewer or the time is up, the most promising first.
   * Rejects with the signal's reason if aborted.
   */
  upTo(count: number): Promise<readonly string[]>;
  close(): void;
}

/** Maximum number of edits of one function. */
export const MAX_EDITS = 4000;

/** Processor seconds for enumerating. */
const ENUMERATION_SECONDS = 10;

/**
 * An edit's place is its place in the order of the operators, divided by the suspicion of its line. Edits of lines
 * that no failing test executes come last.
 * @param lines suspicion of the file's lines that a test executed
 */
export function functionEdits(
  { task, names, lineOf }: FunctionTask,
  lines: ReadonlyMap<number, number>,
  { parser, signal }: { readonly parser: SyntaxParser; readonly signal: AbortSignal },
): FunctionEdits {
  const clock = createSearchClock(ENUMERATION_SECONDS);
  const source = singleEdits(parser, task, MAX_EDITS, names);
  const suspicionOf = suspicionOfEdits(task.buggy, lineOf, lines);
  const found: { readonly edit: string; readonly place: number }[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return {
    upTo(count) {
      const result = last.then(async () => {
        for (const edit of await collected(taken(source, count - found.length), clock, signal))
          found.push({ edit, place: (found.length + 1) / suspicionOf(edit) });
        const ordered = found.toSorted((a, b) => (a.place === b.place ? 0 : a.place - b.place));
        return ordered.map(({ edit }) => edit);
      });
      last = result.catch(() => {});
      return result;
    },
    close: () => void source.return(null),
  };
}

/** The next values, up to `count` besides nulls; the source stays open. */
function* taken(source: Iterator<string | null>, count: number): Generator<string | null> {
  for (let left = count; left > 0; ) {
    const { value, done } = source.next();
    if (done) return;
    if (value !== null) left--;
    yield value;
  }
}

/**
 * The suspicion of an edit: that of its most suspicious line. A line that was not recorded, such as the second one of
 * a statement, counts as the one above it.
 */
function suspicionOfEdits(
  code: string,
  lineOf: FunctionTask['lineOf'],
  lines: ReadonlyMap<number, number>,
): (edit: string) => number {
  const recorded = new Map([...lines].map(([line, suspicion]) => [lineOf(line), suspicion]));
  const weights: number[] = [];
  const entry = recorded.size === 0 ? 1 : Math.max(...recorded.values());
  for (let line = 1; line <= code.split('\n').length; line++)
    weights.push(recorded.get(line) ?? weights.at(-1) ?? entry);
  const at = (line: number): number => weights[Math.min(line, weights.length) - 1] ?? entry;
  return edit =>
    Math.max(
      ...readEdits(edit).flatMap(({ line, old }, index, all) => {
        if (old.length > 0) return [at(line), at(line + old.length - 1)];
        // Lines that replace those removed just above.
        const replaces = all.slice(0, index).some(other => other.line + other.old.length === line);
        return replaces ? [at(line - 1)] : [at(line - 1), at(line)];
      }),
    );
}
