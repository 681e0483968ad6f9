import { type FileHandle, open } from 'node:fs/promises';
import type { RunRecord } from '../../../core/record.ts';
import { outNotWritable } from '../../../files/errors.ts';

/** Where a worker puts its records. */
export interface RecordSink {
  write(record: RunRecord): Promise<void>;
  /** Once resolved, the records written before survive a kill or a power failure. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A new file with the records of one worker; it is created with the first record. After a failed write, which may have
 * left an incomplete line, everything rejects with `OUT_NOT_WRITABLE`.
 */
export function createShard(path: string): RecordSink {
  let file: FileHandle | undefined;
  let last = Promise.resolve();
  const inOrder = (action: (file: FileHandle) => Promise<unknown>) => {
    last = last.then(async () => {
      try {
        file ??= await open(path, 'ax');
        await action(file);
      } catch (error) {
        throw outNotWritable(path, error);
      }
    });
    return last;
  };
  return {
    write: record => inOrder(opened => opened.appendFile(`${JSON.stringify(record)}\n`)),
    sync: () => inOrder(opened => opened.datasync()),
    async close() {
      await last.catch(() => {});
      await file?.close();
    },
  };
}
