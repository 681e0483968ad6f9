import type { Logits, Sequence } from './sequence.ts';

/**
 * Appends what the sequence lacks of the prompt, of which it is the beginning; gives the logits of the last
 * token. Long prompts go in pieces, so that one pass needs bounded memory.
 */
export async function prefill(
  sequence: Sequence,
  prompt: readonly number[],
  signal?: AbortSignal,
): Promise<Logits> {
  for (;;) {
    signal?.throwIfAborted();
    const piece = prompt.slice(sequence.ids.length, sequence.ids.length + PIECE_TOKENS);
    const logits = await sequence.append(piece, 1);
    if (sequence.ids.length === prompt.length) return logits;
  }
}

const PIECE_TOKENS = 512;
