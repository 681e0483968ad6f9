import type { z } from 'zod';
import { recordFormat } from '../../core/record.ts';
import { parseJson } from '../../files/parse-json.ts';
import { recordInvalid, recordsOfOtherFormat } from './errors.ts';

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
