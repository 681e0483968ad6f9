import { join, resolve } from 'node:path';
import type { RunRecord } from '../../core/record.ts';
import { type FollowedShards, followShards } from './follow-shards.ts';
import { recordIn } from './record-in.ts';
import { createShard, type RecordSink } from './shard.ts';
import { checkShards, prepareShards } from './shared-folder.ts';

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

function isBucket(location: string): boolean {
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
