import { open, stat } from 'node:fs/promises';
import { z } from 'zod';
import { searchSchema, selectionSchema } from '../core/attempt.ts';
import { HefixError, recordInvalid, recordsNewer } from '../core/errors.ts';
import { type RunRecord, recordFormat, recordSchema } from '../core/record.ts';
import { verdictKinds } from '../core/verdict.ts';
import { isLocked } from '../files/lock.ts';
import { parseJson } from '../files/parse-json.ts';
import { chosenWith } from '../report/first-candidate.ts';
import { judgedThrough, repairsOf } from '../report/task-runs.ts';
import { currentRecord } from '../results/older-formats.ts';
import { type LinePlace, readBytes } from './read-line.ts';
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

/** Bytes read at a time, so that the first rows of a large file are available soon. */
const BYTES_AT_ONCE = 8 * 2 ** 20;

export function createRecordIndex(path: string): RecordIndex {
  let index = emptyIndex(0, null);
  let last: Promise<unknown> = Promise.resolve();
  /** Reads are queued: each continues where the previous one ended. */
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const result = last.then(read);
    last = result.catch(() => {});
    return result;
  };
  /** Resolves with whether there is more to read. */
  const readNew = async (): Promise<boolean> => {
    const found = await stat(path).catch(() => null);
    const size = found?.size ?? 0;
    if (found?.ino !== index.inode || size < index.end) {
      index = emptyIndex(index.generation + 1, found?.ino ?? null);
    }
    if (size > index.end && index.fault === null) await readOn(path, index, size);
    return index.fault === null && index.end + index.torn < size;
  };
  return {
    rows: (generation, from) =>
      inTurn(async () => {
        const inProgress = await isLocked(path);
        const more = await readNew();
        const skipped = generation === index.generation ? from : 0;
        const problem = index.fault?.message ?? null;
        return { generation: index.generation, rows: index.rows.slice(skipped), more, inProgress, problem };
      }),
    record: line => inTurn(() => recordAt(path, index, line)),
    search: (text, from) =>
      inTurn(async () => {
        const more = await readNew();
        const { hits, next } = await searchLines(path, index.places, text, from);
        return { hits, next: next ?? (more ? index.places.length : null) };
      }),
    fault: () => index.fault,
  };
}

interface Index {
  readonly generation: number;
  /** Distinguishes the file from one that has replaced it. */
  readonly inode: number | null;
  readonly rows: Row[];
  /** Byte ranges of the rows' lines. */
  readonly places: LinePlace[];
  /** Bytes of whole lines. */
  end: number;
  /** Bytes after them that are not a whole line yet. */
  torn: number;
  fault: HefixError | null;
}

function emptyIndex(generation: number, inode: number | null): Index {
  return { generation, inode, rows: [], places: [], end: 0, torn: 0, fault: null };
}

async function readOn(path: string, index: Index, size: number): Promise<void> {
  const file = await open(path, 'r');
  try {
    // A line that is longer than a chunk is read with a larger one.
    for (let length = BYTES_AT_ONCE; ; length *= 2) {
      const before = index.end;
      const bytes = await readBytes(file, index.end, Math.min(length, size - index.end));
      takeLines(path, index, bytes, index.end + bytes.length >= size);
      if (index.end > before || before + bytes.length >= size || index.fault !== null) return;
    }
  } finally {
    await file.close();
  }
}

/** `last`: nothing follows these bytes yet, so a record may lack only its line end. */
function takeLines(path: string, index: Index, bytes: Buffer, last: boolean): void {
  const origin = index.end;
  let start = 0;
  while (start < bytes.length && index.fault === null) {
    const lineEnd = bytes.indexOf(LINE_FEED, start);
    const end = lineEnd === -1 ? bytes.length : lineEnd;
    const text = bytes.toString('utf8', start, end);
    const value = lineEnd === -1 && !last ? undefined : parseJson(text);
    if (lineEnd === -1 && (typeof value !== 'object' || value === null)) break;
    if (text.trim() !== '') addRow(path, index, value, { start: origin + start, length: end - start });
    start = lineEnd === -1 ? end : end + 1;
  }
  index.torn = bytes.length - start;
  index.end = origin + start;
}

const LINE_FEED = 0x0a;

function addRow(path: string, index: Index, value: unknown, place: LinePlace): void {
  try {
    index.rows.push(rowOf(checked(path, index, value), index.rows.length));
    index.places.push(place);
  } catch (fault) {
    if (!(fault instanceof HefixError)) throw fault;
    index.fault = fault;
  }
}

/** @param line 0-based index of the record in its file */
export function rowOf(record: z.infer<typeof factsSchema>, line: number): Row {
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

const { shape } = recordSchema;
const kindSchema = z.object({ kind: z.enum(verdictKinds) }).nullable();
/** What the tables need; a record is fully validated when it is shown. */
const factsSchema = z.object({
  format: shape.format,
  task_id: shape.task_id,
  index: shape.index,
  sample: shape.sample,
  entry_point: shape.entry_point,
  bug_type: shape.bug_type,
  passed: shape.passed,
  iters: shape.iters,
  runtime_sec: shape.runtime_sec,
  error: z.object({ code: z.string() }).nullable(),
  verdict: kindSchema,
  search: searchSchema.pick({ tried_on: true }).loose().optional(),
  token_usage: z.object({ prompt: z.number(), completion: z.number() }),
  feedback: shape.feedback,
  attempts: z.array(
    z.object({
      iteration: z.number(),
      verdict: kindSchema,
      selection: selectionSchema.pick({ checks: true }).loose().optional(),
    }),
  ),
});

function checked(path: string, { rows }: Index, value: unknown): z.infer<typeof factsSchema> {
  const line = rows.length + 1;
  const format = z.object({ format: z.number() }).safeParse(value).data?.format ?? recordFormat;
  if (format > recordFormat) throw recordsNewer(path, format, recordFormat);
  const parsed = factsSchema.safeParse(currentRecord(value));
  if (!parsed.success) throw recordInvalid(path, line, faultOf(value, parsed.error));
  return parsed.data;
}

async function recordAt(path: string, { places }: Index, line: number): Promise<RunRecord | null> {
  const place = places[line];
  if (place === undefined) return null;
  const file = await open(path, 'r');
  try {
    const value = parseJson((await readBytes(file, place.start, place.length)).toString('utf8'));
    const parsed = recordSchema.safeParse(currentRecord(value));
    if (parsed.success) return parsed.data;
    throw recordInvalid(path, line + 1, faultOf(value, parsed.error));
  } finally {
    await file.close();
  }
}

function faultOf(value: unknown, { issues: [issue] }: z.ZodError): string {
  if (value === undefined) return 'it is not JSON';
  return issue === undefined ? 'its shape is another' : `${issue.path.join('.') || 'it'}: ${issue.message}`;
}
