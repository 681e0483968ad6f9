import type { Candidate, Combination, CombineInput } from '../../../machines/actors.ts';
import type { Task } from '../../core/task.ts';
import { shownCode } from '../../syntax/code-blocks.ts';
import { changeOf, type Edit, editText, readEdits } from '../../syntax/edits/edits.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { editedCode, editsTo } from '../candidates.ts';
import { collected, createSearchClock } from '../enumerate/search-clock.ts';

/** Pairs of edits as candidates, within the search's time. */
export async function combined(
  parser: SyntaxParser,
  { task, candidates, assertionsPassed, limit, time }: CombineInput,
  signal: AbortSignal,
): Promise<Combination> {
  const clock = createSearchClock(time);
  const pairs = await collected(editPairs(parser, task, candidates, assertionsPassed, limit), clock, signal);
  return {
    pairs: pairs.map((pair, index) => ({
      ...pair,
      origin: { kind: 'pair', rank: index + 1, of: pairs.length },
    })),
    time: clock.time(),
  };
}

/** A program as edits of the buggy one. */
interface EditedProgram {
  readonly code: string;
  readonly answer: string;
  readonly edits: readonly Edit[];
}

type Pair = Pick<Candidate, 'code' | 'answer'>;

/**
 * Pairs of edits that do not overlap, ordered by the sum of the ranks of their parts, which are ranked by the
 * assertions that they passed. Whole functions are no part of a pair, and pairs that do not parse are left out. Yields
 * null in between, so that a caller can pause.
 */
export function* editPairs(
  parser: SyntaxParser,
  task: Task,
  candidates: readonly Pair[],
  assertionsPassed: readonly number[],
  limit: number,
): Generator<Pair | null> {
  const parts = candidates
    .map((candidate, index) => ({ candidate, index, assertionsPassed: assertionsPassed[index] ?? 0 }))
    .toSorted((a, b) => b.assertionsPassed - a.assertionsPassed || a.index - b.index)
    .flatMap(({ candidate }) => editedProgram(task, candidate) ?? []);
  const codes = new Set(candidates.map(({ code }) => code));
  let count = 0;
  for (let sum = 1; sum < 2 * parts.length && count < limit; sum++) {
    for (let index = Math.max(0, sum - parts.length + 1); 2 * index < sum && count < limit; index++) {
      const one = parts[index];
      const other = parts[sum - index];
      const pair = one && other ? pairOf(task, one, other) : null;
      const isNew = pair !== null && pair.code !== null && !codes.has(pair.code) && parser.parses(pair.code);
      if (isNew) {
        codes.add(pair.code);
        count++;
      }
      yield isNew ? pair : null;
    }
  }
}

function editedProgram(task: Task, { code, answer }: Pair): EditedProgram | null {
  if (code === null) return null;
  const edits = answer === undefined ? editsTo(task, code) : readEdits(answer);
  return edits.length === 0 ? null : { code, edits, answer: answer ?? editText(edits) };
}

/** Both edits in one program; null if they change the same code. */
function pairOf(task: Task, one: EditedProgram, other: EditedProgram): Pair | null {
  const lines = new Set(one.edits.map(({ line }) => line));
  if (!other.edits.some(({ line }) => lines.has(line))) {
    const [first, second] = [one, other].toSorted((a, b) => firstLine(a) - firstLine(b));
    if (!first || !second) return null;
    const code = editedCode(task, [...first.edits, ...second.edits]);
    return { code, answer: `${first.answer}\n${second.answer}` };
  }
  const shown = shownCode(task.buggy);
  const merged = mergedTexts(shown, one.code.slice(0, -1), other.code.slice(0, -1));
  return merged === null ? null : { code: `${merged}\n` };
}

function firstLine({ edits }: EditedProgram): number {
  return edits[0]?.line ?? 0;
}

/** A text with two changes; null if they overlap. */
function mergedTexts(text: string, one: string, other: string): string | null {
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
