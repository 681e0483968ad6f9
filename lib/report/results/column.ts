import type { DecodedArray } from 'hyparquet';

/** A growing column of values of one type; a value may be null. */
export interface Column<T> {
  /** The type in a Parquet file. */
  readonly type: 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN';
  push(value: T | null): void;
  set(row: number, value: T | null): void;
  at(row: number): T | null;
  hasNulls(): boolean;
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
  const cells = createCells(() => new Int32Array(CHUNK_ROWS), -1);
  const at = (row: number) => {
    const value = cells.at(row);
    return value === -1 ? null : value;
  };
  return column('INT32', at, (row, value) => cells.set(row, value ?? -1));
}

export function numbers(): Column<number> {
  const cells = createCells(() => new Float64Array(CHUNK_ROWS), Number.NaN);
  const at = (row: number) => {
    const value = cells.at(row);
    return Number.isNaN(value) ? null : value;
  };
  return column('DOUBLE', at, (row, value) => cells.set(row, value ?? Number.NaN));
}

export function flags(): Column<boolean> {
  const cells = createCells(() => new Int8Array(CHUNK_ROWS), -1);
  const at = (row: number) => {
    const value = cells.at(row);
    return value === -1 ? null : value === 1;
  };
  return column('BOOLEAN', at, (row, value) => cells.set(row, value === null ? -1 : Number(value)));
}

/** Each different word is stored once. */
export function words(): WordColumn {
  const codes = new Map<string, number>();
  const known: string[] = [];
  const cells = createCells(() => new Int32Array(CHUNK_ROWS), -1);
  const codeOf = (word: string) => {
    const code = codes.get(word);
    if (code !== undefined) return code;
    codes.set(word, known.length);
    return known.push(word) - 1;
  };
  const at = (row: number) => {
    const code = cells.at(row);
    return code === -1 ? null : (known[code] ?? null);
  };
  return {
    ...column('STRING', at, (row, word) => cells.set(row, word === null ? -1 : codeOf(word))),
    codeOf,
    code: cells.at,
    words: known,
  };
}

function column<T>(
  type: Column<T>['type'],
  at: (row: number) => T | null,
  set: (row: number, value: T | null) => void,
): Column<T> {
  let length = 0;
  let hasNulls = false;
  return {
    type,
    push(value) {
      if (value === null) hasNulls = true;
      set(length, value);
      length++;
    },
    set,
    at,
    hasNulls: () => hasNulls,
    slice(from, to) {
      const values: (T | null)[] = [];
      for (let row = from; row < to; row++) values.push(at(row));
      return values;
    },
  };
}

interface Cells {
  set(row: number, cell: number): void;
  at(row: number): number;
}

/** Chunks of rows without a value take no memory. */
const CHUNK_BITS = 14;
const CHUNK_ROWS = 2 ** CHUNK_BITS;

/** `empty` stands for null. */
function createCells(create: () => Int32Array | Float64Array | Int8Array, empty: number): Cells {
  const chunks: (ReturnType<typeof create> | undefined)[] = [];
  return {
    set(row, cell) {
      const index = row >> CHUNK_BITS;
      let chunk = chunks[index];
      if (chunk === undefined) {
        if (Object.is(cell, empty)) return;
        chunk = create().fill(empty);
        chunks[index] = chunk;
      }
      chunk[row & (CHUNK_ROWS - 1)] = cell;
    },
    at: row => chunks[row >> CHUNK_BITS]?.[row & (CHUNK_ROWS - 1)] ?? empty,
  };
}
