import { open, readFile } from 'node:fs/promises';
import type { RunRecord } from '../core/record.ts';
import { isLocked } from '../files/lock.ts';
import { recordsEmpty, recordsNotReadable } from './errors.ts';
import { readBytes } from './fact-reader.ts';
import type { FactRow } from './fact-row.ts';
import { manifestPath, readManifest } from './manifest.ts';
import { parseRecord, parseRecords } from './parse-records.ts';
import type { RunFacts } from './read-facts.ts';

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
    return await readFile(path);
  } catch (cause) {
    throw recordsNotReadable(path, cause);
  }
}

/**
 * The whole record of a row.
 * @throws HefixError (`RECORD_INVALID`, `RECORDS_NEWER`)
 */
export async function readRecord(path: string, { row, start, length }: FactRow): Promise<RunRecord> {
  const file = await open(path, 'r');
  try {
    return parseRecord(path, row + 1, (await readBytes(file, start, length)).toString('utf8'));
  } finally {
    await file.close();
  }
}
