import type { DecodedArray } from 'hyparquet';

/** A growing column of values of one type, in a typed array; a value may be null. */
export interface Column<T> {
  /** The type in a Parquet file. */
  readonly type: 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN';
  push(value: T | null): void;
  set(row: number, value: T | null): void;
  at(row: number): T | null;
  /** The values of some rows, for a Parquet file. */
  slice(from: number, to: number): DecodedArray;
}

export interface WordColumn extends Column<string> {
  /** Equal words have equal codes, from 0 on. */
  codeOf(word: string): number;
  /** −1 for null. */
  code(row: number): number;
  /** The words by code. */
  readonly words: readonly string[];
}

/** Whole numbers from 0 on. */
export function integers(): Column<number> {
  let values = new Int32Array(FIRST_ROWS);
  let length = 0;
  return {
    type: 'INT32',
    push(value) {
      if (length === values.length) values = grown(values, new Int32Array(2 * length));
      values[length++] = value ?? -1;
    },
    set(row, value) {
      values[row] = value ?? -1;
    },
    at: row => noNegative(values[row]),
    slice: (from, to) => withNulls(values.slice(from, to), value => value === -1),
  };
}

export function numbers(): Column<number> {
  let values = new Float64Array(FIRST_ROWS);
  let length = 0;
  return {
    type: 'DOUBLE',
    push(value) {
      if (length === values.length) values = grown(values, new Float64Array(2 * length));
      values[length++] = value ?? Number.NaN;
    },
    set(row, value) {
      values[row] = value ?? Number.NaN;
    },
    at(row) {
      const value = values[row];
      return value === undefined || Number.isNaN(value) ? null : value;
    },
    slice: (from, to) => withNulls(values.slice(from, to), Number.isNaN),
  };
}

export function flags(): Column<boolean> {
  let values = new Int8Array(FIRST_ROWS);
  let length = 0;
  const at = (row: number) => (values[row] === -1 ? null : values[row] === 1);
  return {
    type: 'BOOLEAN',
    push(value) {
      if (length === values.length) values = grown(values, new Int8Array(2 * length));
      values[length++] = value === null ? -1 : Number(value);
    },
    set(row, value) {
      values[row] = value === null ? -1 : Number(value);
    },
    at,
    slice: (from, to) => Array.from({ length: to - from }, (_, index) => at(from + index)),
  };
}

/** Each different word is stored once. */
export function words(): WordColumn {
  const codes = new Map<string, number>();
  const known: string[] = [];
  const column = integers();
  const codeOf = (word: string) => {
    const code = codes.get(word);
    if (code !== undefined) return code;
    codes.set(word, known.length);
    return known.push(word) - 1;
  };
  const at = (row: number) => {
    const code = column.at(row);
    return code === null ? null : (known[code] ?? null);
  };
  return {
    type: 'STRING',
    push: word => column.push(word === null ? null : codeOf(word)),
    set: (row, word) => column.set(row, word === null ? null : codeOf(word)),
    at,
    codeOf,
    code: row => column.at(row) ?? -1,
    words: known,
    slice: (from, to) => Array.from({ length: to - from }, (_, index) => at(from + index)),
  };
}

const FIRST_ROWS = 64;

function grown<T extends Int32Array | Float64Array | Int8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function noNegative(value: number | undefined): number | null {
  return value === undefined || value === -1 ? null : value;
}

/** The same array if there is no null in it. */
function withNulls(values: Int32Array | Float64Array, isNull: (value: number) => boolean): DecodedArray {
  return values.some(isNull) ? Array.from(values, value => (isNull(value) ? null : value)) : values;
}
