import { appendFile, type FileHandle, open, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { closeInOrder } from '../../core/async.ts';
import type { RunRecord } from '../../core/record.ts';
import type { RecordFacts } from '../../core/record-facts.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { isSystemError, outNotWritable } from '../../files/errors.ts';
import { lock, removeDeadLocks } from '../../files/lock.ts';
import { optionInvalid } from '../../options/option.ts';
import { outExists } from './errors.ts';
import { createFactReader, type FactReader, readAll } from './fact-reader.ts';
import { WORTH_BYTES } from './fact-table.ts';

/**
 * A results file that this run holds. Once `append` has resolved, the record survives a kill or a power
 * failure.
 */
export interface RecordFile {
  readonly path: string;
  /** The file's records when it was opened. */
  readonly held: readonly RecordFacts[];
  /** The last record of each task and sample, those appended included. */
  records(): readonly RecordFacts[];
  append(record: RunRecord): Promise<void>;
  /** Also releases the file for other runs. */
  close(): Promise<void>;
}

/**
 * Opens a results file exclusively for one run; folders are created at once, the file with its first record.
 * With `resume`, an incomplete last line is removed, or completed if only its line end is missing.
 * @throws HefixError if the file cannot be written, is in use, contains records without `resume`, or anything
 * but records, or has the name of a JSON document.
 */
export async function openRecordFile(path: string, { resume }: { resume: boolean }): Promise<RecordFile> {
  // Only for new files: earlier versions wrote lines under such names too.
  if (/\.json$/i.test(path) && !resume)
    throw optionInvalid(
      '--out',
      path,
      'a .jsonl file: each record is appended as its task ends, as one line',
    );
  const release = await lockInFolder(path);
  try {
    const reader = await readHeld(path, resume);
    const table = reader.table();
    const ended = Number(reader.unfinished());
    let [bytes, lines] = [reader.whole() + ended, reader.lines() + ended];
    let file: FileHandle | undefined;
    let last = Promise.resolve();
    let batch: Batch | null = null;
    const write = async (records: readonly RunRecord[]) => {
      try {
        const texts = records.map(record => Buffer.from(`${JSON.stringify(record)}\n`));
        file ??= await open(path, 'a');
        await file.appendFile(Buffer.concat(texts));
        await file.datasync();
        for (const [index, record] of records.entries()) {
          const length = texts[index]?.length ?? 0;
          table.add(record, { start: bytes, length: length - 1 });
          bytes += length;
          lines++;
        }
      } catch (error) {
        throw outNotWritable(path, error);
      }
    };
    return {
      path,
      held: table.current(),
      records: () => table.current(),
      append(record) {
        // Records that arrive while others are written follow together, with one sync; none after a failed write,
        // which may have left an incomplete line.
        if (batch === null) {
          const records: RunRecord[] = [];
          last = last.then(() => {
            batch = null;
            return write(records);
          });
          batch = { records, written: last };
        }
        batch.records.push(record);
        return batch.written;
      },
      async close() {
        await last.catch(() => {});
        if (file && bytes >= WORTH_BYTES) {
          const { saveColumns } = await import('./columns-file.ts');
          await saveColumns(path, table, { bytes, lines });
        }
        await closeInOrder(...(file ? [file] : []), { close: release });
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Records that are written together. */
interface Batch {
  readonly records: RunRecord[];
  readonly written: Promise<void>;
}

async function lockInFolder(path: string): Promise<() => Promise<void>> {
  try {
    await ensureDirectory(dirname(path));
    await removeDeadLocks(dirname(path));
    return await lock(path);
  } catch (error) {
    throw isSystemError(error) ? outNotWritable(path, error) : error;
  }
}

async function readHeld(path: string, resume: boolean): Promise<FactReader> {
  const bytes = await sizeToWrite(path);
  if (bytes > 0 && !resume) throw outExists(path);
  const reader = createFactReader(path);
  if (bytes > 0) await readAll(reader);
  if (reader.whole() < bytes) await truncate(path, reader.whole());
  if (reader.unfinished()) await appendFile(path, '\n');
  return reader;
}

/** 0 if the file does not exist yet. */
async function sizeToWrite(path: string): Promise<number> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r+');
    return (await file.stat()).size;
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return 0;
    throw isSystemError(error) ? outNotWritable(path, error) : error;
  } finally {
    await file?.close();
  }
}
