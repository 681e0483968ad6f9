/**
 * Values between judge and candidate: JSON text with nothing but data. Objects are shared: each has a number
 * of the side that created it, and the other side keeps a mirror of it. A message says what has changed on
 * the sender's side since the last one, so that cycles, identity and changes in place are preserved.
 */

/** Values in one message, as parts of objects. */
export const MAX_VALUES = 1_000_000;
/**
 * Parts of shared objects whose changes are tracked; older objects are sent again only when they are
 * mentioned.
 */
export const MAX_WATCHED = 200_000;
/** Maximum UTF-16 units of one message, and the bytes that they may take as UTF-8. */
export const MAX_TEXT = 16 * 2 ** 20;
export const MAX_FRAME_BYTES = 3 * MAX_TEXT;
/** Hexadecimal digits of a bigint: 2^1,000,000 still crosses. */
export const MAX_BIGINT_DIGITS = 250_001;

/** A primitive as itself if JSON has it, otherwise tagged. */
export type Slot =
  | string
  | number
  | boolean
  | null
  | readonly ['undefined']
  /** Separates parts of a row; see atoms.ts. */
  | readonly ['mark']
  | readonly ['number', 'NaN' | 'Infinity' | '-Infinity' | '-0']
  | readonly ['bigint', string]
  /** A symbol that both sides know, by name. */
  | readonly ['symbol', string]
  /** A built-in object, by path. */
  | readonly ['builtin', string]
  /** An object of the sender, by number. */
  | readonly ['mine', number]
  /** An object of the receiver. */
  | readonly ['yours', number]
  /** A value that cannot cross; reading it there ends the execution. */
  | readonly ['stays', string];

/** An object in full: its creator, its number there, its kind, what it was created from, and its parts. */
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

/** Thrown for a value that is not plain data, or too large. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export function broken(): Refusal {
  return new Refusal('a message that cannot be read');
}
