/**
 * Values on their way between judge and candidate: JSON text that holds nothing but data. Objects are shared: each has
 * a number of the side that made it, the other side keeps a mirror of it, and a message says what has changed on its
 * sender's side since the last one. So cycles and identity stay what they are, and what one side changes in place the
 * other finds changed.
 */

/** Values in one message, as parts of objects. */
export const MAX_VALUES = 1_000_000;
/** Parts of the shared objects whose changes are watched; older ones are sent again only when they are named again. */
export const MAX_WATCHED = 200_000;
/** UTF-16 units of one message, and the bytes that they may come to as UTF-8. */
export const MAX_TEXT = 16 * 2 ** 20;
export const MAX_FRAME_BYTES = 3 * MAX_TEXT;
/** Hexadecimal digits of one bigint: 2^1,000,000 still crosses. */
export const MAX_BIGINT_DIGITS = 250_001;

/** A primitive as itself where JSON has it, otherwise tagged. */
export type Slot =
  | string
  | number
  | boolean
  | null
  | readonly ['undefined']
  /** Between parts of a row: see atoms.ts. */
  | readonly ['mark']
  | readonly ['number', 'NaN' | 'Infinity' | '-Infinity' | '-0']
  | readonly ['bigint', string]
  /** A symbol that both sides know, by its name. */
  | readonly ['symbol', string]
  /** An object of the language's, by its path. */
  | readonly ['builtin', string]
  /** An object of the sender's, by its number. */
  | readonly ['mine', number]
  /** An object of the receiver's. */
  | readonly ['yours', number]
  /** What cannot cross; reading it there ends the execution. */
  | readonly ['stays', string];

/** All of one object: who made it, its number there, its kind, what it was made from and its parts. */
export type Row = readonly [
  owner: 'mine' | 'yours',
  id: number,
  kind: string,
  head: readonly Slot[],
  parts: readonly Slot[],
];

export interface Graph {
  readonly roots: readonly Slot[];
  readonly rows: readonly Row[];
}

/** Thrown where a value is no plain data, or too much of it. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
