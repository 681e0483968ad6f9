import type { Choice, ChooseInput } from '../../../machines/actors.ts';
import type { Style } from '../propose/style.ts';
import type { ActorParts } from './actor-parts.ts';

/** Takes the first candidate that is new and can be run. */
export async function choose(
  { parser, sandbox }: Pick<ActorParts, 'parser' | 'sandbox'>,
  examine: Style['examine'],
  { task, attempts, candidates, limit }: ChooseInput,
  signal: AbortSignal,
): Promise<Choice> {
  for (const [index, { text }] of candidates.slice(0, limit).entries()) {
    const seen = await examine(parser, sandbox, { task, completion: text, attempts }, signal);
    if (seen.verdict === null && !seen.repeated) return { chosen: index };
  }
  return { chosen: null };
}
