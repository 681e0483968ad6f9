import { modelLogitsInvalid } from '../errors.ts';
import type { Logits, Sequence } from '../onnx/sequence.ts';
import { chooseToken, type Sampling } from './choose-token.ts';
import type { PromptLookup } from './prompt-lookup.ts';

export interface GenerationInput {
  /**
   * The prompt's keys and values and the logits of its last token; the generated tokens are appended to it.
   */
  readonly sequence: Sequence;
  readonly logits: Logits;
  readonly sampling: Sampling;
  readonly random: () => number;
  /** Tokens that end the text and are not part of it. */
  readonly endIds: ReadonlySet<number>;
  readonly maxNewTokens: number;
  /** Null computes one token per pass. */
  readonly lookup: PromptLookup | null;
  /** Model name, for error messages. */
  readonly model: string;
  readonly signal?: AbortSignal | undefined;
  readonly onToken: (id: number) => void;
  /** Called after each token; returns whether to stop. */
  readonly isOver?: () => boolean;
}

export interface GenerationEnd {
  readonly finish: 'stop' | 'length';
  /** Tokens chosen, including the end token. */
  readonly newTokens: number;
  /** Tokens drafted. */
  readonly drafted: number;
  /** Drafted tokens that were accepted. */
  readonly accepted: number;
}

/**
 * The generation loop: choose, stop, emit, forward. A pass takes the last chosen token and the draft after
 * it, and returns one row of logits for each. Tokens are chosen row by row with the same rule and random
 * numbers as without a draft, as long as they match the draft; the first mismatch discards the rest. This is
 * speculative sampling with a deterministic draft: a drafted token is accepted with the probability that the
 * model gives it, and its replacement follows the model's distribution over the other tokens.
 * Source: Leviathan et al., 2023, «Fast Inference from Transformers via Speculative Decoding», algorithm 1.
 * Throws MODEL_LOGITS_INVALID, and the signal's reason if aborted between two passes.
 */
export async function generateTokens(input: GenerationInput): Promise<GenerationEnd> {
  const { sequence, sampling, random, endIds, maxNewTokens, lookup, signal } = input;
  let { logits } = input;
  let draft: readonly number[] = [];
  /** The row of logits to choose from, equal to the number of accepted draft tokens. */
  let row = 0;
  let newTokens = 0;
  let drafted = 0;
  let accepted = 0;
  const dropRest = (): void => sequence.truncate(sequence.ids.length - draft.length + row);
  const end = (finish: GenerationEnd['finish']): GenerationEnd => ({ finish, newTokens, drafted, accepted });

  try {
    while (newTokens < maxNewTokens) {
      const id = chooseToken(logits.row(row), sampling, random);
      if (id === -1) throw modelLogitsInvalid(input.model, sequence.ids.length - draft.length + row);
      newTokens++;
      if (endIds.has(id)) return end('stop');
      input.onToken(id);
      const isDrafted = draft[row] === id;
      if (isDrafted) accepted++;
      if (input.isOver?.()) return end('stop');
      if (newTokens === maxNewTokens) break;
      if (isDrafted) {
        row++;
        continue;
      }
      signal?.throwIfAborted();
      lookup?.learn(draft.length, row);
      dropRest();
      // A pass returns one token more than it is given draft tokens.
      draft = lookup?.draft([...sequence.ids, id], maxNewTokens - newTokens - 1) ?? [];
      row = 0;
      drafted += draft.length;
      logits = await sequence.append([id, ...draft], 1 + draft.length);
    }
    return end('length');
  } finally {
    dropRest();
  }
}
