import type { Combination, CombineInput } from '../../../machines/actors.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { collected } from '../enumerate/collect.ts';
import { createSearchClock } from '../enumerate/search-clock.ts';
import { editPairs } from './edit-pairs.ts';

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
