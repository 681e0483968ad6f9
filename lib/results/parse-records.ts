import { z } from 'zod';
import { type RunRecord, recordFormat, recordSchema } from '../core/record.ts';
import { jobName, keyOf } from '../core/record-key.ts';
import { parseJson } from '../files/parse-json.ts';
import { recordInvalid, recordRepeated, recordsNewer } from './errors.ts';
import { currentRecord } from './older-formats.ts';
import { recordFault } from './parse-facts.ts';

export interface ParsedRecords {
  /** One for each task and sample. */
  readonly records: RunRecord[];
  /** Number of bytes with complete records; an incomplete line may follow. */
  readonly whole: number;
  /** Whether the last record lacks its line end. */
  readonly unfinished: boolean;
}

/**
 * The records of a results file. Only its last line may be incomplete: a killed run wrote nothing after it. A
 * task that ended in an error may be recorded again further down; the later record is used.
 * @throws HefixError for a line that is not a record (`RECORD_INVALID`), repeats a judged one
 * (`RECORD_REPEATED`), or has a newer format (`RECORDS_NEWER`).
 */
export function parseRecords(path: string, bytes: Uint8Array): ParsedRecords {
  const { lines, whole, unfinished } = readLines(path, bytes);
  const judged = new Set<string>();
  for (const { record, line } of lines) {
    const key = keyOf(record.task_id, record.sample);
    if (judged.has(key)) throw recordRepeated(path, line, jobName(record.task_id, record.sample));
    if (record.passed !== null) judged.add(key);
  }
  return { records: currentRecords(lines.map(({ record }) => record)), whole, unfinished };
}

/** The last record of each task and sample. */
export function currentRecords(records: readonly RunRecord[]): RunRecord[] {
  return [...new Map(records.map(record => [keyOf(record.task_id, record.sample), record])).values()];
}

/**
 * The record on one line of a file.
 * @throws HefixError (`RECORD_INVALID`, `RECORDS_NEWER`)
 */
export function parseRecord(path: string, line: number, text: string): RunRecord {
  return toRecord(path, line, parseJson(text));
}

interface Lines extends Pick<ParsedRecords, 'whole' | 'unfinished'> {
  readonly lines: { readonly record: RunRecord; readonly line: number }[];
}

function readLines(path: string, bytes: Uint8Array): Lines {
  const lines: Lines['lines'] = [];
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, start);
    const text = decode(bytes.subarray(start, end === -1 ? bytes.length : end));
    if (end === -1) {
      const value = parseJson(text);
      // A truncated number or word may parse; a truncated object cannot.
      if (typeof value !== 'object' || value === null) return { lines, whole: start, unfinished: false };
      lines.push({ record: toRecord(path, line, value), line });
      return { lines, whole: bytes.length, unfinished: true };
    }
    if (text.trim() !== '') lines.push({ record: toRecord(path, line, parseJson(text)), line });
    start = end + 1;
  }
  return { lines, whole: bytes.length, unfinished: false };
}

const LINE_FEED = 0x0a;

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function toRecord(path: string, line: number, value: unknown): RunRecord {
  const format = z.object({ format: z.number() }).safeParse(value).data?.format;
  if (format !== undefined && format > recordFormat) throw recordsNewer(path, format, recordFormat);
  const parsed = recordSchema.safeParse(currentRecord(value));
  if (parsed.success) return parsed.data;
  throw recordInvalid(path, line, recordFault(value, parsed.error));
}
