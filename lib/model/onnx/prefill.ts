import type { Logits, Sequence } from './sequence.ts';

/**
 * Appends the rest of a prompt to a sequence that holds its beginning, and returns the logits of the last
 * token. Long prompts are processed in chunks, which bounds the memory of a pass.
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

const PIECE_TOKENS = 128;
