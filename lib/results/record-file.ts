import { appendFile, type FileHandle, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { closeInOrder } from '../core/close-all.ts';
import { outExists, outNotWritable } from '../core/errors.ts';
import type { RunRecord } from '../core/record.ts';
import { ensureDirectory } from '../files/ensure-directory.ts';
import { isSystemError } from '../files/is-system-error.ts';
import { lock } from '../files/lock.ts';
import { parseRecords } from './parse-records.ts';

/**
 * A results file that this run holds. Once `append` has resolved, the record survives a kill or a power
 * failure.
 */
export interface RecordFile {
  readonly path: string;
  /** The file's records when it was opened. */
  readonly held: readonly RunRecord[];
  append(record: RunRecord): Promise<void>;
  /** Also releases the file for other runs. */
  close(): Promise<void>;
}

/**
 * Opens a results file exclusively for one run; folders are created at once, the file with its first record.
 * With `resume`, an incomplete last line is removed, or completed if only its line end is missing.
 * @throws HefixError if the file cannot be written, is in use, contains records without `resume`, or anything
 * but records.
 */
export async function openRecordFile(path: string, { resume }: { resume: boolean }): Promise<RecordFile> {
  const release = await lockInFolder(path);
  try {
    const held = await readHeld(path, resume);
    let file: FileHandle | undefined;
    let last = Promise.resolve();
    const write = async (record: RunRecord) => {
      try {
        file ??= await open(path, 'a');
        await file.appendFile(`${JSON.stringify(record)}\n`);
        await file.datasync();
      } catch (error) {
        throw outNotWritable(path, error);
      }
    };
    return {
      path,
      held,
      append(record) {
        // Appends one record at a time; none after a failed write, which may have left an incomplete line.
        last = last.then(() => write(record));
        return last;
      },
      async close() {
        await last.catch(() => {});
        await closeInOrder(...(file ? [file] : []), { close: release });
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function lockInFolder(path: string): Promise<() => Promise<void>> {
  try {
    await ensureDirectory(dirname(path));
    return await lock(path);
  } catch (error) {
    throw isSystemError(error) ? outNotWritable(path, error) : error;
  }
}

async function readHeld(path: string, resume: boolean): Promise<RunRecord[]> {
  const bytes = await readIfThere(path);
  if (bytes.length > 0 && !resume) throw outExists(path);
  const { records, whole, unfinished } = parseRecords(path, bytes);
  if (whole < bytes.length) await truncate(path, whole);
  if (unfinished) await endLine(path);
  return records;
}

async function readIfThere(path: string): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r+');
    return await readFile(file);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return Buffer.alloc(0);
    throw isSystemError(error) ? outNotWritable(path, error) : error;
  } finally {
    await file?.close();
  }
}

async function endLine(path: string): Promise<void> {
  await appendFile(path, '\n');
}
