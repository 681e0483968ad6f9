import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord } from '../../../core/record.ts';
import { keyOf } from '../../../core/record-key.ts';
import { isSystemError } from '../../../files/errors.ts';
import { parseRecord } from '../../../results/read-results.ts';

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
  const file = await open(path, 'r');
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
