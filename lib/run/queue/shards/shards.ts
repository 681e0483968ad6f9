import type { RunRecord } from '../../../core/record.ts';
import type { FollowedShards } from './follow-shards.ts';
import type { RecordSink } from './shard.ts';

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
