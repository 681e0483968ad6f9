import { access, type FileHandle, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { HefixError } from '../../core/errors.ts';
import { jobName, recordFormat } from '../../core/record.ts';
import { factsSchema, type RecordFacts } from '../../core/record-facts.ts';
import { isLocked } from '../../files/lock.ts';
import { openRegular, parseJson } from '../../files/untrusted-file.ts';
import type { ColumnsFile } from './columns-file.ts';
import {
  recordInvalid,
  recordRepeated,
  recordsEmpty,
  recordsNotReadable,
  recordsOfOtherFormat,
} from './errors.ts';
import { createFactTable, type FactRow, type FactTable, WORTH_BYTES } from './fact-table.ts';
import { type Manifest, manifestPath, readManifest } from './manifest.ts';

/** Reads the facts of a results file that may grow, a part at a time. */
export interface FactReader {
  readonly path: string;
  /** Reads on; resolves with whether there is more to read now. */
  read(): Promise<boolean>;
  table(): FactTable;
  /** A new value means that the file was replaced, and the table with it. */
  generation(): number;
  /** Number of bytes with complete records; an incomplete line may follow. */
  whole(): number;
  /** Whether the last record lacks its line end. */
  unfinished(): boolean;
  /** Number of lines in them. */
  lines(): number;
  /** Number of bytes that were read from the columns file. */
  compacted(): number;
  /** Why reading stopped at a line; null if it did not. */
  fault(): HefixError | null;
}

/** Bytes read at a time, so that the first rows of a large file are available soon. */
const BYTES_AT_ONCE = 8 * 2 ** 20;

export function createFactReader(path: string): FactReader {
  let state = newState(0, null);
  return {
    path,
    async read() {
      const stats = await stat(path).catch(() => null);
      const size = stats?.size ?? 0;
      if (stats?.ino !== state.inode || size < state.end) {
        state = newState(state.generation + 1, stats?.ino ?? null);
        state.columns = size < WORTH_BYTES ? null : await (await columnsFile()).openColumns(path);
      }
      if (state.columns !== null) {
        // Damaged columns are ignored.
        await readColumns(state, state.columns).catch(() => {
          state = newState(state.generation + 1, state.inode);
        });
      } else if (size > state.end && state.fault === null) await readLines(path, state, size);
      return state.columns !== null || (state.fault === null && state.end + state.torn < size);
    },
    table: () => state.table,
    generation: () => state.generation,
    whole: () => state.end,
    unfinished: () => state.unfinished,
    lines: () => state.line - 1,
    compacted: () => state.compacted,
    fault: () => state.fault,
  };
}

interface State {
  readonly generation: number;
  /** Distinguishes the file from one that has replaced it. */
  readonly inode: number | null;
  readonly table: FactTable;
  /** Columns that are not read to their end yet. */
  columns: ColumnsFile | null;
  /** Bytes of whole lines. */
  end: number;
  /** Bytes after them that are not a whole line yet. */
  torn: number;
  /** The number of the next line; 1-based. */
  line: number;
  unfinished: boolean;
  compacted: number;
  /** Holds each part of a large file in turn. */
  buffer: Buffer;
  fault: HefixError | null;
}

function newState(generation: number, inode: number | null): State {
  const buffer = Buffer.alloc(0);
  const start = { end: 0, torn: 0, line: 1, compacted: 0, unfinished: false, buffer };
  return { generation, inode, table: createFactTable(), columns: null, ...start, fault: null };
}

async function readColumns(state: State, columns: ColumnsFile): Promise<void> {
  const more = await columns.readInto(state.table);
  if (more) return;
  state.columns = null;
  state.end = columns.bytes;
  state.compacted = columns.bytes;
  state.line = columns.lines + 1;
}

async function readLines(path: string, state: State, size: number): Promise<void> {
  const file = await openRegular(path);
  if (size > BYTES_AT_ONCE && state.buffer.length === 0) state.buffer = Buffer.allocUnsafe(BYTES_AT_ONCE);
  try {
    // A line that is longer than a chunk is read with a larger one.
    for (let length = BYTES_AT_ONCE; ; length *= 2) {
      const before = state.end;
      const bytes = await readBytes(file, state.end, Math.min(length, size - state.end), state.buffer);
      takeLines(path, state, bytes, state.end + bytes.length >= size);
      if (state.end > before || before + bytes.length >= size || state.fault !== null) return;
    }
  } finally {
    await file.close();
  }
}

/** @param into a buffer to use if it is large enough */
export async function readBytes(
  file: FileHandle,
  position: number,
  length: number,
  into?: Buffer,
): Promise<Buffer> {
  const target = into !== undefined && into.length >= length ? into : Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(target, 0, length, position);
  return target.subarray(0, bytesRead);
}

/** `last`: nothing follows these bytes yet. */
function takeLines(path: string, state: State, bytes: Buffer, last: boolean): void {
  const origin = state.end;
  let taken = 0;
  for (const { value, isBlank, start, end, isWhole } of recordLines(bytes, last)) {
    if (!isBlank) addLine(path, state, value, { start: origin + start, length: end - start });
    if (state.fault !== null) break;
    if (isWhole) state.line++;
    state.unfinished = !isWhole;
    taken = isWhole ? end + 1 : end;
  }
  state.torn = bytes.length - taken;
  state.end = origin + taken;
}

function addLine(
  path: string,
  state: State,
  value: unknown,
  place: { readonly start: number; readonly length: number },
): void {
  try {
    const record = parseRecordLine(factsSchema, path, state.line, value);
    if (state.table.add(record, place)) return;
    throw recordRepeated(path, state.line, jobName(record.task_id, record.sample));
  } catch (fault) {
    if (!(fault instanceof HefixError)) throw fault;
    state.fault = fault;
  }
}

/** What reports need of a results file; a run may still be writing it. */
export interface RunFacts<Facts extends RecordFacts = RecordFacts> {
  readonly path: string;
  /** The last record of each task and sample. */
  readonly records: readonly Facts[];
  readonly manifest: Manifest;
  /** Whether a run holds the file, so that records may be added. */
  readonly inProgress: boolean;
}

/**
 * Reads the facts of a results file, in memory of about 200 bytes a record. Large files get columns next to
 * them, from which the facts are read the next time.
 * @throws HefixError if the file cannot be read (`RECORDS_NOT_READABLE`), has no records (`RECORDS_EMPTY`) or
 * lines that are not records, or if its manifest is missing (`MANIFEST_UNUSABLE`).
 */
export async function readFacts(path: string): Promise<RunFacts<FactRow>> {
  const inProgress = await isLocked(path);
  const reader = createFactReader(path);
  await readAll(reader);
  const records = reader.table().current();
  if (records.length === 0) throw recordsEmpty(path, inProgress);
  const manifest = await readManifest(manifestPath(path));
  if (!inProgress) await compact(reader);
  return { path, records, inProgress, manifest };
}

/** @throws HefixError (`RECORDS_NOT_READABLE`, and those of lines that are not records) */
export async function readAll(reader: FactReader): Promise<void> {
  try {
    await access(reader.path);
    while (await reader.read());
  } catch (cause) {
    throw cause instanceof HefixError ? cause : recordsNotReadable(reader.path, cause);
  }
  const fault = reader.fault();
  if (fault !== null) throw fault;
}

/** Writes the columns unless most of the file was read from them. */
export async function compact(reader: FactReader): Promise<void> {
  const bytes = reader.whole();
  if (reader.compacted() > bytes * 0.9) return;
  if (bytes < WORTH_BYTES) return;
  const { saveColumns } = await columnsFile();
  await saveColumns(reader.path, reader.table(), { bytes, lines: reader.lines() });
}

function columnsFile() {
  return import('./columns-file.ts');
}

/** A sentence to show if a run is still writing the file. */
export function inProgressWarning({ path, records }: RunFacts): string {
  return `${path}: run in progress, covers ${records.length === 1 ? '1 record' : `${records.length} records`} so far.`;
}

/** A line of a results file. */
interface RecordLine {
  /** The parsed JSON; undefined if the line is not JSON. */
  readonly value: unknown;
  readonly isBlank: boolean;
  /** Where it is in the bytes, without its line end. */
  readonly start: number;
  readonly end: number;
  /** Whether it has its line end. */
  readonly isWhole: boolean;
}

/**
 * The lines of a part of a results file. Only its last line may be incomplete: a killed run wrote nothing after it. It
 * counts if only the line end is missing, and nothing follows these bytes yet (`isLast`).
 */
export function* recordLines(bytes: Buffer, isLast: boolean): Generator<RecordLine, void> {
  for (let start = 0; start < bytes.length; ) {
    const lineEnd = bytes.indexOf(LINE_FEED, start);
    const isWhole = lineEnd !== -1;
    if (!isWhole && !isLast) return;
    const end = isWhole ? lineEnd : bytes.length;
    const text = bytes.toString('utf8', start, end);
    const value = parseJson(text);
    // A truncated number or word may parse; a truncated object cannot.
    if (!isWhole && (typeof value !== 'object' || value === null)) return;
    yield { value, isBlank: text.trim() === '', start, end, isWhole };
    start = end + 1;
  }
}

const LINE_FEED = 0x0a;

/**
 * The record on a line, or the part of it that a schema describes.
 * @throws HefixError (`RECORD_INVALID`, `RECORDS_OF_OTHER_FORMAT`)
 */
export function parseRecordLine<Record>(
  schema: z.ZodType<Record>,
  path: string,
  line: number,
  value: unknown,
): Record {
  const { format } = Object(value);
  if (typeof format === 'number' && format !== recordFormat)
    throw recordsOfOtherFormat(path, format, recordFormat);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw recordInvalid(path, line, recordFault(value, parsed.error));
}

function recordFault(value: unknown, { issues: [issue] }: z.ZodError): string {
  if (value === undefined) return 'it is not JSON';
  return issue === undefined ? 'its shape is another' : `${issue.path.join('.') || 'it'}: ${issue.message}`;
}
