import { jobName, keyOf, type RunRecord, recordSchema } from '../../core/record.ts';
import { isLocked } from '../../files/lock.ts';
import { openRegular, parseJson, readRegular } from '../../files/untrusted-file.ts';
import { recordRepeated, recordsEmpty, recordsNotReadable } from './errors.ts';
import { parseRecordLine, type RunFacts, readBytes, recordLines } from './fact-reader.ts';
import type { FactRow } from './fact-table.ts';
import { manifestPath, readManifest } from './manifest.ts';

/** The current contents of a results file; a run may still be writing it. */
export interface Results extends RunFacts {
  readonly records: readonly RunRecord[];
}

/**
 * Reads a results file and its manifest without changing them. An incomplete last line is skipped.
 * @throws HefixError if the file cannot be read (`RECORDS_NOT_READABLE`), has no records (`RECORDS_EMPTY`) or
 * lines that are not records, or if its manifest is missing (`MANIFEST_UNUSABLE`).
 */
export async function readResults(path: string): Promise<Results> {
  const inProgress = await isLocked(path);
  const { records } = parseRecords(path, await readWhole(path));
  if (records.length === 0) throw recordsEmpty(path, inProgress);
  return { path, records, inProgress, manifest: await readManifest(manifestPath(path)) };
}

async function readWhole(path: string): Promise<Uint8Array> {
  try {
    return await readRegular(path, MAX_BYTES);
  } catch (cause) {
    throw recordsNotReadable(path, cause);
  }
}

/**
 * The whole record of a row.
 * @throws HefixError (`RECORD_INVALID`, `RECORDS_OF_OTHER_FORMAT`)
 */
export async function readRecord(path: string, { row, start, length }: FactRow): Promise<RunRecord> {
  const file = await openRegular(path);
  try {
    return parseRecord(path, row + 1, (await readBytes(file, start, length)).toString('utf8'));
  } finally {
    await file.close();
  }
}

interface ParsedRecords {
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
 * (`RECORD_REPEATED`), or has another format (`RECORDS_OF_OTHER_FORMAT`).
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
function currentRecords(records: readonly RunRecord[]): RunRecord[] {
  return [...new Map(records.map(record => [keyOf(record.task_id, record.sample), record])).values()];
}

/**
 * The record on one line of a file.
 * @throws HefixError (`RECORD_INVALID`, `RECORDS_OF_OTHER_FORMAT`)
 */
export function parseRecord(path: string, line: number, text: string): RunRecord {
  return parseRecordLine(recordSchema, path, line, parseJson(text));
}

/** Of a file that is read whole; Node.js reads no more at once. */
const MAX_BYTES = 2 ** 31 - 1;
