/** Rows of logits for the last tokens of a pass. */
export interface Logits {
  readonly rows: number;
  /** float [vocabulary], row `index`. A view into the pass's memory: read it, do not keep it. */
  row(index: number): Float32Array;
}

/** A token sequence together with its keys and values. */
export interface Sequence {
  readonly ids: readonly number[];
  /** Bytes of keys and values, including reserved capacity. */
  readonly bytes: number;
  /** Runs one pass over at least one token; returns the logits of the last `rows` of them. */
  append(ids: readonly number[], rows: number): Promise<Logits>;
  /** Drops all but the first `length` tokens; free, or the cost of copying the cache. */
  truncate(length: number): void;
  /** A separate sequence with the first `length` tokens. */
  fork(length: number): Sequence;
}

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
