import { type FileHandle, open } from 'node:fs/promises';
import type { RunRecord } from '../../../core/record.ts';
import { outNotWritable } from '../../../files/errors.ts';
import type { FollowedShards } from './follow-shards.ts';

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

/** Where the records of a run are collected: a folder that all machines share, or a bucket. */
export interface Shards {
  /** How often to look for new records, in milliseconds. */
  readonly pollMs: number;
  /** For the coordinator. Rejects with `SHARDS_TAKEN` if it holds another run, or if it cannot be written. */
  prepare(runId: string): Promise<void>;
  /** For workers. Rejects with `SHARDS_NOT_SHARED` if the coordinator did not prepare it. */
  check(runId: string): Promise<void>;
  /** @param name differs for each process and each start */
  create(name: string): RecordSink;
  follow(): FollowedShards;
  /** The judged record of a task and sample in one shard; undefined if it holds none. */
  recordIn(path: string, key: string): Promise<RunRecord | undefined>;
}
