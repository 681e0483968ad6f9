import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord } from '../../../core/record.ts';
import { keyOf } from '../../../core/record.ts';
import { isSystemError, outNotWritable } from '../../../files/errors.ts';
import { openRegular } from '../../../files/untrusted-file.ts';
import { parseRecord } from '../../../report/results/read-results.ts';

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

/**
 * Collects records and sends them together with `sync`, one batch after the other; what could not be sent is part of the
 * next one. `send` gets whole lines and resolves once they are safe.
 */
export function createBatchSink(send: (lines: string) => Promise<void>): RecordSink {
  let pending: RunRecord[] = [];
  let last: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (pending.length === 0) return;
    const sent = pending;
    pending = [];
    try {
      await send(sent.map(record => `${JSON.stringify(record)}\n`).join(''));
    } catch (error) {
      pending = [...sent, ...pending];
      throw error;
    }
  };
  return {
    async write(record) {
      pending.push(record);
    },
    sync() {
      last = last.catch(() => {}).then(flush);
      return last;
    },
    async close() {
      await last.catch(() => {});
    },
  };
}

/** A record, and the shard that holds it. */
export interface ShardRecord {
  readonly record: RunRecord;
  readonly path: string;
}

/** The shards of a folder; workers may still be writing them. */
export interface FollowedShards {
  /** The records that were added since the last call, also in new shards. An incomplete last line is left for later. */
  read(): AsyncGenerator<ShardRecord, void>;
}

export function followShards(folder: string): FollowedShards {
  const positions = new Map<string, Position>();
  return {
    async *read() {
      for (const name of await shardsIn(folder)) {
        const path = join(folder, name);
        const position = positions.get(path) ?? { offset: 0, line: 1 };
        positions.set(path, position);
        if ((await stat(path)).size > position.offset) yield* readFrom(path, position);
      }
    },
  };
}

/** The records of one file. */
export function recordsIn(path: string): AsyncGenerator<ShardRecord, void> {
  return readFrom(path, { offset: 0, line: 1 });
}

interface Position {
  /** In bytes. */
  offset: number;
  line: number;
}

async function shardsIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(name => name.endsWith('.jsonl')).sort();
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Reads whole lines, a few MiB at a time. */
async function* readFrom(path: string, position: Position): AsyncGenerator<ShardRecord, void> {
  const file = await openRegular(path);
  try {
    for (let size = CHUNK; ; ) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, position.offset);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED) + 1;
      if (end === 0 && bytesRead === size) size *= 2;
      else if (end === 0) return;
      else {
        for (const line of buffer.toString('utf8', 0, end - 1).split('\n')) {
          yield { record: parseRecord(path, position.line++, line), path };
        }
        position.offset += end;
        size = CHUNK;
      }
    }
  } finally {
    await file.close();
  }
}

const CHUNK = 4 * 2 ** 20;
const LINE_FEED = 0x0a;

/** The judged record of a task and sample in a file; undefined if it holds none. */
export async function recordIn(path: string, key: string): Promise<RunRecord | undefined> {
  for await (const { record } of recordsIn(path)) {
    if (record.passed !== null && keyOf(record.task_id, record.sample) === key) return record;
  }
  return undefined;
}
