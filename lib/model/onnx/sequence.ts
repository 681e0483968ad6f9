/** Rows of logits, one for each of a pass's last tokens. */
export interface Logits {
  readonly rows: number;
  /** float [vocabulary], of the row `index`; it is the pass's own memory, to be read and not to be kept. */
  row(index: number): Float32Array;
}

/** The tokens that a decoder has seen, one after the other, with their keys and values. */
export interface Sequence {
  readonly ids: readonly number[];
  /** Of the keys and values, with what is reserved for more. */
  readonly bytes: number;
  /** One pass over at least one token; gives the logits of the last `rows` of them. */
  append(ids: readonly number[], rows: number): Promise<Logits>;
  /** Forgets all but the first `length` tokens; it costs nothing, or what copying the cache does. */
  truncate(length: number): void;
  /** Another sequence of the first `length` tokens; both go on independently. */
  fork(length: number): Sequence;
}
