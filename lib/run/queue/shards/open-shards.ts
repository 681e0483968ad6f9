import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureDirectory } from '../../../files/ensure-directory.ts';
import { outNotWritable } from '../../../files/errors.ts';
import { readRegularText } from '../../../files/untrusted-file.ts';
import { shardsNotShared, shardsTaken } from '../errors.ts';
import { createShard, followShards, recordIn, type Shards } from './shard.ts';

/** `location`: a folder, or `s3://bucket/prefix`. `signal` ends attempts to reach a bucket. */
export async function openShards(location: string, signal: AbortSignal): Promise<Shards> {
  if (!isBucket(location)) return folderShards(location);
  const { openBucketShards } = await import('./bucket-shards.ts');
  return await openBucketShards(location, signal);
}

/** Absolute, so that other machines find it. */
export function absoluteLocation(location: string): string {
  return isBucket(location) ? location : resolve(location);
}

export function isBucket(location: string): boolean {
  return location.startsWith('s3://');
}

function folderShards(folder: string): Shards {
  return {
    pollMs: 100,
    prepare: runId => prepareShards(folder, runId),
    check: runId => checkShards(folder, runId),
    create: name => createShard(join(folder, `${name}.jsonl`)),
    follow: () => followShards(folder),
    recordIn,
  };
}

/**
 * Prepares the folder that collects the records of a run. It holds the run's id, by which a worker finds out whether it
 * sees the same folder. Rejects with `OUT_NOT_WRITABLE`, or with `SHARDS_TAKEN` if it belongs to another run.
 */
async function prepareShards(folder: string, runId: string): Promise<void> {
  try {
    await ensureDirectory(folder);
    // Appended, so that of two runs that start at once the first one gets the folder; a resumed run adds its id again.
    await writeFile(join(folder, PROBE), runId, { flag: 'a' });
  } catch (cause) {
    throw outNotWritable(folder, cause);
  }
  if (!(await belongsTo(folder, runId))) throw shardsTaken(folder);
}

/** Rejects with `SHARDS_NOT_SHARED` if this is not the folder that the coordinator prepared. */
async function checkShards(folder: string, runId: string): Promise<void> {
  if (!(await belongsTo(folder, runId))) throw shardsNotShared(folder);
}

async function belongsTo(folder: string, runId: string): Promise<boolean> {
  const probe = await readRegularText(join(folder, PROBE), 2 ** 12).catch(() => '');
  return probe.startsWith(runId);
}

const PROBE = 'run-id';
