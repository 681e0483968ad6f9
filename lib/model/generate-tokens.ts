import { modelLogitsInvalid } from '../errors.ts';
import { chooseToken, type Sampling } from './choose-token.ts';
import type { Decoder, Step } from './decoder.ts';

export interface GenerationInput {
  /** At least one token id. */
  readonly prompt: readonly number[];
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
 * The loop: forward, choose, stop, emit. Each pass sees the tokens that the cache does not hold yet:
 * first the prompt, then one token at a time.
 * Throws MODEL_LOGITS_INVALID, and the signal's reason if aborted between two passes.
 */
export async function generateTokens(decoder: Decoder, input: GenerationInput): Promise<GenerationEnd> {
  const { sampling, random, endIds, maxNewTokens, signal } = input;
  let step = await prefill(decoder, input.prompt, signal);
  for (let newTokens = 1; newTokens <= maxNewTokens; newTokens++) {
    const id = chooseToken(step.logits, sampling, random);
    if (id === -1) throw modelLogitsInvalid(input.model, step.cache.length);
    if (endIds.has(id)) return { finish: 'stop', newTokens };
    input.onToken(id);
    if (input.isOver?.()) return { finish: 'stop', newTokens };
    if (newTokens === maxNewTokens) break;
    signal?.throwIfAborted();
    step = await decoder.forward([id], step.cache);
  }
  return { finish: 'length', newTokens: maxNewTokens };
}

/** Graphs give logits for every row, so that long prompts go in pieces to keep their memory bounded. */
async function prefill(decoder: Decoder, prompt: readonly number[], signal?: AbortSignal): Promise<Step> {
  let start = 0;
  let step: Step | undefined;
  do {
    signal?.throwIfAborted();
    const piece = prompt.slice(start, start + PREFILL_TOKENS);
    step = await decoder.forward(piece, step?.cache ?? decoder.emptyCache);
    start += PREFILL_TOKENS;
  } while (start < prompt.length);
  return step;
}

const PREFILL_TOKENS = 512;
