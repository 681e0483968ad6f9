import { modelLogitsInvalid } from '../errors.ts';
import { chooseToken, type Sampling } from './choose-token.ts';
import type { Logits, Sequence } from './sequence.ts';

export interface GenerationInput {
  /** Of the prompt, and the logits of its last token. */
  readonly sequence: Sequence;
  readonly logits: Logits;
  readonly sampling: Sampling;
  readonly random: () => number;
  /** A token among these ends the text and is no part of it. */
  readonly endIds: ReadonlySet<number>;
  readonly maxNewTokens: number;
  /** For errors. */
  readonly model: string;
  readonly signal?: AbortSignal | undefined;
  readonly onToken: (id: number) => void;
  /** Asked after each token: whether the text is to end with it. */
  readonly isOver?: () => boolean;
}

export interface GenerationEnd {
  readonly finish: 'stop' | 'length';
  /** Tokens chosen, the end token included. */
  readonly newTokens: number;
}

/**
 * The loop: choose, stop, emit, forward.
 * Throws MODEL_LOGITS_INVALID, and the signal's reason if aborted between two passes.
 */
export async function generateTokens(input: GenerationInput): Promise<GenerationEnd> {
  const { sequence, sampling, random, endIds, maxNewTokens, signal } = input;
  let { logits } = input;
  for (let newTokens = 1; newTokens <= maxNewTokens; newTokens++) {
    const id = chooseToken(logits.row(0), sampling, random);
    if (id === -1) throw modelLogitsInvalid(input.model, sequence.ids.length);
    if (endIds.has(id)) return { finish: 'stop', newTokens };
    input.onToken(id);
    if (input.isOver?.()) return { finish: 'stop', newTokens };
    if (newTokens === maxNewTokens) break;
    signal?.throwIfAborted();
    logits = await sequence.append([id], 1);
  }
  return { finish: 'length', newTokens: maxNewTokens };
}
