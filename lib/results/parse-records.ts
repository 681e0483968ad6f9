import { type RunRecord, recordSchema } from '../core/record.ts';
import { jobName, keyOf } from '../core/record-key.ts';
import { parseJson } from '../files/parse-json.ts';
import { recordRepeated } from './errors.ts';
import { parseRecordLine, recordLines } from './record-lines.ts';

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
  const [records, judged] = [[] as RunRecord[], new Set<string>()];
  let [whole, unfinished, line] = [0, false, 0];
  for (const { value, isBlank, end, isWhole } of recordLines(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    true,
  )) {
    line++;
    whole = isWhole ? end + 1 : end;
    unfinished = !isWhole;
    if (isBlank) continue;
    const record = parseRecordLine(recordSchema, path, line, value);
    const key = keyOf(record.task_id, record.sample);
    if (judged.has(key)) throw recordRepeated(path, line, jobName(record.task_id, record.sample));
    if (record.passed !== null) judged.add(key);
    records.push(record);
  }
  return { records: currentRecords(records), whole, unfinished };
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
  return parseRecordLine(recordSchema, path, line, parseJson(text));
}
