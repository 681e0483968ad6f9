import { readFile } from 'node:fs/promises';
import { recordsEmpty, recordsNotReadable } from '../core/errors.ts';
import type { RunRecord } from '../core/record.ts';
import { isLocked } from '../files/lock.ts';
import { type Manifest, manifestPath, readManifest } from '../run/manifest.ts';
import { parseRecords } from './parse-records.ts';

/** A results file as it is now; a run may still be writing it. */
export interface Results {
  readonly path: string;
  readonly records: readonly RunRecord[];
  readonly manifest: Manifest;
  /** A run holds the file: records may be added. */
  readonly inProgress: boolean;
}

/**
 * Reads a results file and its manifest and changes neither. A last line that is not whole yet is left out.
 * @throws HefixError if it cannot be read (`RECORDS_NOT_READABLE`), holds no record (`RECORDS_EMPTY`) or other
 * lines than records, or its manifest is missing (`MANIFEST_UNUSABLE`).
 */
export async function readResults(path: string): Promise<Results> {
  const inProgress = await isLocked(path);
  const { records } = parseRecords(path, await readBytes(path));
  if (records.length === 0) throw recordsEmpty(path, inProgress);
  return { path, records, inProgress, manifest: await readManifest(manifestPath(path)) };
}

/** What people should know of a file that a run is still writing. */
export function inProgressWarning({ path, records }: Results): string {
  return `${path} is still being written; what is told here is of the ${records.length} records that it holds now.`;
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw recordsNotReadable(path, cause);
  }
}
