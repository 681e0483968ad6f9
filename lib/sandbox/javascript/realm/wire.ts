/**
 * Values on their way between judge and candidate: JSON text that holds nothing but data. Objects stand in a
 * table and refer to each other by its index, so cycles and shared objects stay what they are, and no depth
 * of nesting can exhaust a reader's stack.
 */

/** Values in one message: array elements, properties, map entries and table rows together. */
export const MAX_VALUES = 1_000_000;
/** UTF-16 units of one message, and the bytes that they may come to as UTF-8. */
export const MAX_TEXT = 16 * 2 ** 20;
export const MAX_FRAME_BYTES = 3 * MAX_TEXT;
/** Hexadecimal digits of one bigint: 2^1,000,000 still crosses. */
export const MAX_BIGINT_DIGITS = 250_001;

/** A primitive as itself where JSON has it, otherwise tagged; an object as its index in the table. */
export type Slot =
  | string
  | number
  | boolean
  | null
  | readonly ['undefined']
  | readonly ['hole']
  | readonly ['number', 'NaN' | 'Infinity' | '-Infinity' | '-0']
  | readonly ['bigint', string]
  | readonly ['object', number]
  /** A function or promise of the sender: number, name, parameter count. */
  | readonly ['function', number, string, number]
  | readonly ['promise', number]
  /** A function or promise of the receiver, coming home. */
  | readonly ['your function', number]
  | readonly ['your promise', number];

export type Properties = readonly (readonly [string, Slot])[];

export type Row =
  | {
      readonly kind: 'object';
      readonly properties: Properties;
      readonly bare?: true;
      readonly frozen?: true;
      /** Of a class instance: its class, and the methods that stay behind. */
      readonly className?: string;
      readonly methods?: readonly string[];
    }
  | {
      readonly kind: 'array';
      readonly items: readonly Slot[];
      readonly properties?: Properties;
      readonly frozen?: true;
    }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Slot, Slot])[] }
  | { readonly kind: 'set'; readonly items: readonly Slot[] }
  | { readonly kind: 'date'; readonly time: Slot }
  | { readonly kind: 'regexp'; readonly source: string; readonly flags: string; readonly lastIndex: number }
  | { readonly kind: 'boxed'; readonly value: Slot }
  | {
      readonly kind: 'error';
      readonly type: string;
      readonly name: string;
      readonly message: string;
      readonly properties: Properties;
    }
  | { readonly kind: 'buffer'; readonly hex: string }
  | { readonly kind: 'view'; readonly type: string; readonly hex: string }
  | { readonly kind: 'iterator'; readonly id: number; readonly isAsync: boolean };

export interface Graph {
  readonly roots: readonly Slot[];
  /** In an answer, the first rows are the objects of the question; null for one that has not changed. */
  readonly rows: readonly (Row | null)[];
}

/** Thrown where a value is no plain data, or too much of it. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
