import { modelLogitsInvalid } from '../../core/errors.ts';
import type { Logits, Sequence } from '../onnx/sequence.ts';
import { chooseToken, type Sampling } from './choose-token.ts';
import type { PromptLookup } from './prompt-lookup.ts';

export interface GenerationInput {
  /** Of the prompt, and the logits of its last token; afterwards it holds what was generated too. */
  readonly sequence: Sequence;
  readonly logits: Logits;
  readonly sampling: Sampling;
  readonly random: () => number;
  /** A token among these ends the text and is no part of it. */
  readonly endIds: ReadonlySet<number>;
  readonly maxNewTokens: number;
  /** Null computes one token a pass. */
  readonly lookup: PromptLookup | null;
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
  /** Tokens that were guessed ahead. */
  readonly drafted: number;
  /** Those of them that were chosen too. */
  readonly accepted: number;
}

/**
 * The loop: choose, stop, emit, forward. A pass sees the token chosen last and the draft after it, and gives a
 * row of logits for each. Tokens are chosen from row after row by the same rule and the same random numbers as
 * without a draft, as long as they are what was drafted: the first that is not makes the rest void. That is
 * speculative sampling with a draft that is certain of itself: a drafted token is taken with the probability
 * that the model gives it, and what comes in its place has the model's distribution over all others.
 * Source: Leviathan et al., 2023, «Fast Inference from Transformers via Speculative Decoding», algorithm 1.
 * Throws MODEL_LOGITS_INVALID, and the signal's reason if aborted between two passes.
 */
export async function generateTokens(input: GenerationInput): Promise<GenerationEnd> {
  const { sequence, sampling, random, endIds, maxNewTokens, lookup, signal } = input;
  let { logits } = input;
  let draft: readonly number[] = [];
  /** The row of logits to choose from: as many tokens of the draft were chosen. */
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
      // The pass gives one token more than it is given drafts.
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
