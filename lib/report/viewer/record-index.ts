import { stat } from 'node:fs/promises';
import type { HefixError } from '../../core/errors.ts';
import { type RunRecord, recordSchema } from '../../core/record.ts';
import { isLocked } from '../../files/lock.ts';
import { openRegular, parseJson } from '../../files/untrusted-file.ts';
import { compact, createFactReader, type RunFacts, readAll, readBytes } from '../results/fact-reader.ts';
import type { FactTable } from '../results/fact-table.ts';
import { readRecord } from '../results/read-results.ts';
import { createLargeRun, type LargeRun } from './large/large-run.ts';
import { hitIn, type RecordHit } from './page/data/record-hits.ts';
import { rowOf } from './row-of.ts';
import type { FoundRecords, Rows } from './view-data.ts';

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
  /** What was read so far, for pages of its tasks. */
  large(): LargeRun;
  /** All records, for a report. */
  facts(): Promise<Pick<RunFacts, 'records' | 'inProgress'>>;
  /** Why reading stopped at a line; null if it did not. */
  fault(): HefixError | null;
}

/** The rows of larger files stay on the server. */
export const LARGE_BYTES = 64 * 2 ** 20;

export function createRecordIndex(path: string): RecordIndex {
  const reader = createFactReader(path);
  let last: Promise<unknown> = Promise.resolve();
  /** Reads are queued: each continues where the previous one ended. */
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const result = last.then(read);
    last = result.catch(() => {});
    return result;
  };
  let large: { readonly table: FactTable; readonly run: LargeRun } | null = null;
  const largeRun = () => {
    const table = reader.table();
    if (large?.table !== table) large = { table, run: createLargeRun(table) };
    return large.run;
  };
  let isCompacted = false;
  const readOn = async (inProgress: boolean) => {
    const more = await reader.read();
    // Opened again, the page is there at once.
    if (!more && !inProgress && !isCompacted && reader.fault() === null) {
      isCompacted = true;
      await compact(reader);
    }
    return more;
  };
  return {
    rows: (generation, from) =>
      inTurn(async () => {
        const inProgress = await isLocked(path);
        const more = await readOn(inProgress);
        const problem = reader.fault()?.message ?? null;
        const answer = { generation: reader.generation(), more, inProgress, problem };
        const size = (await stat(path).catch(() => null))?.size ?? 0;
        if (size > LARGE_BYTES) {
          const totals = more ? null : largeRun().totals();
          return { ...answer, rows: [], large: { records: reader.table().length(), totals } };
        }
        const skipped = generation === reader.generation() ? from : 0;
        const table = reader.table();
        const count = Math.max(0, table.length() - skipped);
        const rows = Array.from({ length: count }, (_, index) =>
          rowOf(table.at(skipped + index), skipped + index),
        );
        return { ...answer, rows, large: null };
      }),
    record: line =>
      inTurn(async () => {
        const table = reader.table();
        return line < table.length() ? await readRecord(path, table.at(line)) : null;
      }),
    search: (text, from) =>
      inTurn(async () => {
        const more = await reader.read();
        const table = reader.table();
        const { hits, next } = await searchLines(path, table, text, from);
        return { hits, next: next ?? (more ? table.length() : null) };
      }),
    large: largeRun,
    facts: () =>
      inTurn(async () => {
        const inProgress = await isLocked(path);
        await readAll(reader);
        return { records: reader.table().current(), inProgress };
      }),
    fault: () => reader.fault(),
  };
}

/** A request stops after this many matches or bytes, so that none takes long. */
const HITS_AT_ONCE = 50;
const MAX_BYTES = 8 * 2 ** 20;

/** Searches the records from a line on for a text. */
async function searchLines(
  path: string,
  table: FactTable,
  text: string,
  from: number,
): Promise<FoundRecords> {
  const hits: RecordHit[] = [];
  // Only lines whose JSON contains the escaped text are parsed.
  const written = JSON.stringify(text).slice(1, -1).toLowerCase();
  let bytes = 0;
  let line = from;
  const file = await openRegular(path);
  try {
    for (; line < table.length() && hits.length < HITS_AT_ONCE && bytes < MAX_BYTES; line++) {
      const { start, length } = table.at(line);
      if (table.isReplaced(line)) continue;
      const json = (await readBytes(file, start, length)).toString('utf8');
      bytes += length;
      if (!json.toLowerCase().includes(written)) continue;
      const { data } = recordSchema.safeParse(parseJson(json));
      const hit = data === undefined ? null : hitIn(data, line, text);
      if (hit !== null) hits.push(hit);
    }
  } finally {
    await file.close();
  }
  return { hits, next: line < table.length() ? line : null };
}
