import type { DecodedArray } from 'hyparquet';
import type { AttemptFacts, RecordFacts } from '../../core/record-facts.ts';

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

interface WordColumn extends Column<string> {
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
  const list: string[] = [];
  const cells = createCells(() => new Int32Array(CHUNK_ROWS), -1);
  const codeOf = (word: string) => {
    const code = codes.get(word);
    if (code !== undefined) return code;
    codes.set(word, list.length);
    return list.push(word) - 1;
  };
  const at = (row: number) => {
    const code = cells.at(row);
    return code === -1 ? null : (list[code] ?? null);
  };
  return {
    ...column('STRING', at, (row, word) => cells.set(row, word === null ? -1 : codeOf(word))),
    codeOf,
    code: cells.at,
    words: list,
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

/** The byte range of a line in its file, without the line end. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

interface RecordSource {
  readonly record: RecordFacts;
  readonly place: LinePlace;
}

const recordField = fieldsOf<RecordSource>();

/** One row per record of a results file: each column, and what a record has in it. */
const recordFields = {
  start: recordField(numbers, ({ place }) => place.start),
  length: recordField(integers, ({ place }) => place.length),
  /** Whether a later record of the same task and sample replaces it. */
  replaced: recordField(flags, () => false),
  task_id: recordField(words, ({ record }) => record.task_id),
  index: recordField(integers, ({ record }) => record.index),
  sample: recordField(integers, ({ record }) => record.sample),
  entry_point: recordField(words, ({ record }) => record.entry_point),
  bug_type: recordField(words, ({ record }) => record.bug_type),
  passed: recordField(flags, ({ record }) => record.passed),
  judge: recordField(words, ({ record }) => record.judge),
  verdict: recordField(words, ({ record }) => record.verdict?.kind),
  example_verdict: recordField(words, ({ record }) => record.example_verdict?.kind),
  error: recordField(words, ({ record }) => record.error?.code),
  feedback: recordField(words, ({ record }) => record.feedback),
  prompt: recordField(words, ({ record }) => record.prompt),
  template: recordField(words, ({ record }) => record.template),
  iters: recordField(integers, ({ record }) => record.iters),
  runtime_sec: recordField(numbers, ({ record }) => record.runtime_sec),
  proposal_sec: recordField(numbers, ({ record }) => record.timings_sec.proposal),
  execution_sec: recordField(numbers, ({ record }) => record.timings_sec.execution),
  reflection_sec: recordField(numbers, ({ record }) => record.timings_sec.reflection),
  prompt_tokens: recordField(integers, ({ record }) => record.token_usage.prompt),
  completion_tokens: recordField(integers, ({ record }) => record.token_usage.completion),
  cached_replies: recordField(integers, ({ record }) => record.cached?.replies),
  cached_prompt_tokens: recordField(integers, ({ record }) => record.cached?.prompt),
  cached_completion_tokens: recordField(integers, ({ record }) => record.cached?.completion),
  search_tried_on: recordField(words, ({ record }) => record.search?.tried_on),
  search_candidates: recordField(integers, ({ record }) => record.search?.candidates),
  search_tried: recordField(integers, ({ record }) => record.search?.tried),
  search_rank: recordField(integers, ({ record }) => record.search?.rank),
  search_ranked: recordField(flags, ({ record }) => record.search?.ranked),
  robust_tried: recordField(integers, ({ record }) => record.robust?.tried),
  robust_different: recordField(integers, ({ record }) => record.robust?.different),
  /** Number of attempts. */
  attempts: recordField(integers, ({ record }) => record.attempts.length),
};

interface AttemptSource {
  readonly attempt: AttemptFacts;
  /** The row of its record. */
  readonly row: number;
  readonly fixed: string | null;
}

const attemptField = fieldsOf<AttemptSource>();

/** One row per attempt, in the order of the records. */
const attemptFields = {
  record: attemptField(integers, ({ row }) => row),
  node: attemptField(words, ({ attempt }) => attempt.node),
  iteration: attemptField(integers, ({ attempt }) => attempt.iteration),
  verdict: attemptField(words, ({ attempt }) => attempt.verdict?.kind),
  /** Whether a model was asked. */
  asked: attemptField(flags, ({ attempt }) => attempt.prompt.length > 0),
  /** Whether its candidate is the record's final one. */
  final: attemptField(flags, ({ attempt, fixed }) => attempt.candidate === fixed),
  /** How many checks its candidate was chosen with; null if there was only one answer. */
  checks: attemptField(integers, ({ attempt }) => attempt.selection?.checks.length),
  prompt_tokens: attemptField(integers, ({ attempt }) => attempt.tokens.prompt),
  completion_tokens: attemptField(integers, ({ attempt }) => attempt.tokens.completion),
  proposal_sec: attemptField(numbers, ({ attempt }) => attempt.seconds.proposal),
  execution_sec: attemptField(numbers, ({ attempt }) => attempt.seconds.execution),
  prescreen_sec: attemptField(numbers, ({ attempt }) => attempt.seconds.prescreen),
  diagnosis_prompt_tokens: attemptField(integers, ({ attempt }) => attempt.diagnosis?.tokens.prompt),
  diagnosis_completion_tokens: attemptField(integers, ({ attempt }) => attempt.diagnosis?.tokens.completion),
  diagnosis_sec: attemptField(numbers, ({ attempt }) => attempt.diagnosis?.seconds),
};

export type RecordColumns = ColumnsOf<typeof recordFields>;
export type AttemptColumns = ColumnsOf<typeof attemptFields>;

/** Empty columns, and a function that adds a row to each. */
export const createRecordColumns = () => createColumns<RecordSource, typeof recordFields>(recordFields);
export const createAttemptColumns = () => createColumns<AttemptSource, typeof attemptFields>(attemptFields);

/** Creates a column, and a function that adds the value of a source to it. */
type Field<C, Source> = () => { readonly column: C; readonly push: (source: Source) => void };

type ColumnsOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer C, never> ? C : never;
};

function fieldsOf<Source>() {
  return <T, C extends Column<T> = Column<T>>(
    create: () => C & Column<T>,
    cell: (source: Source) => NoInfer<T> | null | undefined,
  ): Field<C, Source> =>
    () => {
      const column = create();
      return { column, push: source => column.push(cell(source) ?? null) };
    };
}

function createColumns<Source, Fields extends Record<string, Field<unknown, Source>>>(
  fields: Fields,
): { readonly columns: ColumnsOf<Fields>; push(source: Source): void } {
  const made = Object.entries(fields).map(([name, create]) => ({ name, ...create() }));
  const columns = Object.fromEntries(made.map(({ name, column }) => [name, column])) as ColumnsOf<Fields>;
  return {
    columns,
    push(source) {
      for (const one of made) one.push(source);
    },
  };
}
