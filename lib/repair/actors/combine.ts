import type { Combination, CombineInput } from '../../../machines/actors.ts';
import type { Task } from '../../core/task.ts';
import { editText, readEdits } from '../../edits/edit-answer.ts';
import { canonicalEdits } from '../../edits/edit-canonical.ts';
import { changeOf } from '../../edits/text-change.ts';
import { shownCode } from '../../prompt/fence.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { editedCode } from '../enumerate/pooled.ts';
import { createSearchClock } from '../enumerate/search-clock.ts';
import { collected } from '../enumerate/single-edits.ts';

/** Pairs of edits as candidates, within the search's time. */
export async function combined(
  parser: SyntaxParser,
  { task, candidates, assertionsPassed, limit, time }: CombineInput,
  signal: AbortSignal,
): Promise<Combination> {
  const clock = createSearchClock(time);
  const texts = candidates.map(({ text }) => text);
  const pairs = await collected(editPairs(parser, task, texts, assertionsPassed, limit), clock, signal);
  return {
    pairs: pairs.map((text, index) => ({
      text,
      origin: { kind: 'pair', rank: index + 1, of: pairs.length },
    })),
    time: clock.time(),
  };
}

/**
 * Pairs of edits that do not overlap, ordered by the sum of the ranks of their parts, which are ranked by the
 * assertions that they passed. Pairs that do not parse are left out. Yields null in between, so that a caller can
 * pause.
 */
export function* editPairs(
  parser: SyntaxParser,
  task: Task,
  edits: readonly string[],
  assertionsPassed: readonly number[],
  limit: number,
): Generator<string | null> {
  const byMerit = edits
    .map((text, index) => ({ text, index, assertionsPassed: assertionsPassed[index] ?? 0 }))
    .toSorted((a, b) => b.assertionsPassed - a.assertionsPassed || a.index - b.index);
  const known = new Set(edits);
  let found = 0;
  for (let sum = 1; sum < 2 * byMerit.length && found < limit; sum++) {
    for (let at = Math.max(0, sum - byMerit.length + 1); 2 * at < sum && found < limit; at++) {
      const one = byMerit[at];
      const other = byMerit[sum - at];
      const text = one && other ? pairOf(task, one.text, other.text) : null;
      const code = text === null || known.has(text) ? null : editedCode(task, text);
      const isNew = text !== null && code !== null && parser.parses(code);
      if (isNew) {
        known.add(text);
        found++;
      }
      yield isNew ? text : null;
    }
  }
}

/** Both edits as one answer; null if they change the same code. */
function pairOf(task: Task, one: string, other: string): string | null {
  const [first, second] = [one, other].toSorted((a, b) => (linesOf(a)[0] ?? 0) - (linesOf(b)[0] ?? 0));
  if (first === undefined || second === undefined) return null;
  const lines = linesOf(second);
  if (!linesOf(first).some(line => lines.includes(line))) return `${first}\n${second}`;
  const shown = shownCode(task.buggy);
  const merged = mergedTexts(
    shown,
    editedCode(task, one)?.slice(0, -1),
    editedCode(task, other)?.slice(0, -1),
  );
  return merged === null ? null : editText(canonicalEdits(shown, merged));
}

/** A text with two changes; null if they overlap. */
function mergedTexts(text: string, one: string | undefined, other: string | undefined): string | null {
  if (one === undefined || other === undefined) return null;
  const [before, after] = [changeOf(text, one), changeOf(text, other)].toSorted((a, b) => a.start - b.start);
  if (!before || !after || before.end > after.start || before.start === after.start) return null;
  return (
    text.slice(0, before.start) +
    before.replacement +
    text.slice(before.end, after.start) +
    after.replacement +
    text.slice(after.end)
  );
}

function linesOf(edit: string): number[] {
  return readEdits(edit).map(({ line }) => line);
}
