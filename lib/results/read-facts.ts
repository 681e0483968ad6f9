import { access } from 'node:fs/promises';
import { HefixError } from '../core/errors.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import { isLocked } from '../files/lock.ts';
import { saveColumns } from './columns-file.ts';
import { recordsEmpty, recordsNotReadable } from './errors.ts';
import { createFactReader, type FactReader } from './fact-reader.ts';
import type { FactRow } from './fact-row.ts';
import { type Manifest, manifestPath, readManifest } from './manifest.ts';

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
  await saveColumns(reader.path, reader.table(), { bytes, lines: reader.lines() });
}

/** A sentence to show if a run is still writing the file. */
export function inProgressWarning({ path, records }: RunFacts): string {
  return `${path}: run in progress, covers ${records.length === 1 ? '1 record' : `${records.length} records`} so far.`;
}
