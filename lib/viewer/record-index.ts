import { open } from 'node:fs/promises';
import { type HefixError, recordInvalid } from '../core/errors.ts';
import { type RunRecord, recordSchema } from '../core/record.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import { isLocked } from '../files/lock.ts';
import { parseJson } from '../files/parse-json.ts';
import { chosenWith } from '../report/first-candidate.ts';
import { judgedThrough, repairsOf } from '../report/task-runs.ts';
import { createFactReader, readBytes } from '../results/fact-reader.ts';
import type { FactTable } from '../results/fact-table.ts';
import { currentRecord } from '../results/older-formats.ts';
import { recordFault } from '../results/parse-facts.ts';
import { searchLines } from './search-lines.ts';
import type { FoundRecords, Row, Rows } from './view-data.ts';

/** A results file that may grow, read as needed: short rows of all records, single records in full. */
export interface RecordIndex {
  /**
   * Reads what is new. For a number of rows other than 0, returns the rows after them if `generation` still
   * matches.
   */
  rows(generation: number, from: number): Promise<Rows>;
  /** Null if there is no such line. Rejects with a HefixError (`RECORD_INVALID`) if it is not a record. */
  record(line: number): Promise<RunRecord | null>;
  /**
   * Searches the records from a line on. Large files take several requests; `next` says where to continue.
   */
  search(text: string, from: number): Promise<FoundRecords>;
  /** Why reading stopped at a line; null if it did not. */
  fault(): HefixError | null;
}

export function createRecordIndex(path: string): RecordIndex {
  const reader = createFactReader(path);
  let last: Promise<unknown> = Promise.resolve();
  /** Reads are queued: each continues where the previous one ended. */
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const result = last.then(read);
    last = result.catch(() => {});
    return result;
  };
  return {
    rows: (generation, from) =>
      inTurn(async () => {
        const inProgress = await isLocked(path);
        const more = await reader.read();
        const skipped = generation === reader.generation() ? from : 0;
        const table = reader.table();
        const count = Math.max(0, table.length() - skipped);
        const rows = Array.from({ length: count }, (_, index) =>
          rowOf(table.at(skipped + index), skipped + index),
        );
        const problem = reader.fault()?.message ?? null;
        return { generation: reader.generation(), rows, more, inProgress, problem };
      }),
    record: line => inTurn(() => recordAt(path, reader.table(), line)),
    search: (text, from) =>
      inTurn(async () => {
        const more = await reader.read();
        const table = reader.table();
        const { hits, next } = await searchLines(path, table, text, from);
        return { hits, next: next ?? (more ? table.length() : null) };
      }),
    fault: () => reader.fault(),
  };
}

/** @param line 0-based index of the record in its file */
export function rowOf(record: RecordFacts, line: number): Row {
  const { task_id, index, sample, entry_point, bug_type, passed, runtime_sec } = record;
  const { verdict, error, search, token_usage, attempts } = record;
  return {
    ...{ line, task_id, index, sample, entry_point, bug_type, passed, runtime_sec },
    iters: repairsOf(record),
    verdict: verdict?.kind ?? null,
    search: search?.tried_on ?? null,
    judged_through: passed === null ? judgedThrough(record) : null,
    chosen_with: chosenWith(record),
    error: error?.code ?? null,
    tokens: { prompt: token_usage.prompt, completion: token_usage.completion },
    attempts: attempts.map(attempt => attempt.verdict?.kind ?? null),
  };
}

async function recordAt(path: string, table: FactTable, line: number): Promise<RunRecord | null> {
  if (line >= table.length()) return null;
  const { start, length } = table.at(line);
  const file = await open(path, 'r');
  try {
    const value = parseJson((await readBytes(file, start, length)).toString('utf8'));
    const parsed = recordSchema.safeParse(currentRecord(value));
    if (parsed.success) return parsed.data;
    throw recordInvalid(path, line + 1, recordFault(value, parsed.error));
  } finally {
    await file.close();
  }
}
