import { readFile } from 'node:fs/promises';
import type { RunRecord } from '../core/record.ts';
import { isLocked } from '../files/lock.ts';
import { recordsEmpty, recordsNotReadable } from './errors.ts';
import { manifestPath, readManifest } from './manifest.ts';
import { parseRecords } from './parse-records.ts';
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
  const { records } = parseRecords(path, await readBytes(path));
  if (records.length === 0) throw recordsEmpty(path, inProgress);
  return { path, records, inProgress, manifest: await readManifest(manifestPath(path)) };
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw recordsNotReadable(path, cause);
  }
}
