import { z } from 'zod';
import { recordInvalid, recordsNewer } from '../errors.ts';
import { type RunRecord, recordFormat, recordSchema } from './record.ts';

export interface ParsedRecords {
  readonly records: RunRecord[];
  /** How many of the bytes are records; what follows is a torn line. */
  readonly whole: number;
  /** The last record lacks its line end. */
  readonly unfinished: boolean;
}

/**
 * The records of a results file. Only its last line may be torn: a run that was killed wrote no further one.
 * @throws HefixError for a line that is no record (`RECORD_INVALID`) or has a newer format (`RECORDS_NEWER`).
 */
export function parseRecords(path: string, bytes: Uint8Array): ParsedRecords {
  const records: RunRecord[] = [];
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, start);
    const text = decode(bytes.subarray(start, end === -1 ? bytes.length : end));
    if (end === -1) {
      const value = parseJson(text);
      // A number or a word may parse although its end is missing; an object may not.
      if (typeof value !== 'object' || value === null) return { records, whole: start, unfinished: false };
      records.push(toRecord(path, line, value));
      return { records, whole: bytes.length, unfinished: true };
    }
    if (text.trim() !== '') records.push(toRecord(path, line, parseJson(text)));
    start = end + 1;
  }
  return { records, whole: bytes.length, unfinished: false };
}

const LINE_FEED = 0x0a;

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toRecord(path: string, line: number, value: unknown): RunRecord {
  const format = z.object({ format: z.number() }).safeParse(value).data?.format;
  if (format !== undefined && format > recordFormat) throw recordsNewer(path, format, recordFormat);
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw recordInvalid(path, line, value === undefined ? 'it is not JSON' : faultOf(parsed.error));
}

function faultOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'its shape is another' : `${issue.path.join('.') || 'it'}: ${issue.message}`;
}
