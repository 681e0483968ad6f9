import pLimit from 'p-limit';
import { keyOf } from '../../../core/record.ts';
import { parseRecord } from '../../../report/results/read-results.ts';
import { shardsNotShared, shardsTaken } from '../errors.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { createBatchSink, type FollowedShards, type ShardRecord, type Shards } from './shard.ts';

/**
 * Shards in S3-compatible storage, whose objects cannot be appended to: a worker writes a numbered object each time that
 * it syncs, `worker/00000001.jsonl`, and only starts the next one when the last is stored.
 */
export async function openBucketShards(location: string, signal: AbortSignal): Promise<Shards> {
  const bucket = await openBucket(location, signal);
  const root = location.replace(/(?<!\/)\/+$/, '');
  const belongsTo = async (runId: string) => (await bucket.get(PROBE))?.toString() === runId;
  return {
    pollMs: 1000,
    async prepare(runId) {
      if ((await bucket.get(PROBE)) === undefined) await bucket.putNew(PROBE, runId);
      if (!(await belongsTo(runId))) throw shardsTaken(location);
    },
    async check(runId) {
      if (!(await belongsTo(runId))) throw shardsNotShared(location);
    },
    create(name) {
      let count = 0;
      return createBatchSink(async lines => {
        await bucket.put(`${name}/${String(count + 1).padStart(DIGITS, '0')}.jsonl`, lines);
        count++;
      });
    },
    follow: () => followBucket(bucket, root),
    async recordIn(path, key) {
      const { records } = await shardAt(bucket, root, path.slice(root.length + 1));
      return records.find(
        ({ record }) => record.passed !== null && keyOf(record.task_id, record.sample) === key,
      )?.record;
    },
  };
}

const PROBE = 'run-id';
const DIGITS = 8;
/** Requests at once. */
const REQUESTS = 16;

function followBucket(bucket: Bucket, root: string): FollowedShards {
  /** The last object read of each worker. */
  const seen = new Map<string, string>();
  const limit = pLimit(REQUESTS);
  return {
    async *read() {
      const folders = await bucket.folders();
      const listings = await Promise.all(
        folders.map(folder =>
          limit(async () => ({ folder, keys: await bucket.keys(folder, seen.get(folder) ?? folder) })),
        ),
      );
      for (const { folder, keys } of listings) {
        for (let start = 0; start < keys.length; start += REQUESTS) {
          const some = keys.slice(start, start + REQUESTS).filter(key => key.endsWith('.jsonl'));
          const shards = await Promise.all(some.map(key => shardAt(bucket, root, key)));
          for (const { key, records } of shards) {
            yield* records;
            seen.set(folder, key);
          }
        }
      }
    },
  };
}

async function shardAt(
  bucket: Bucket,
  root: string,
  key: string,
): Promise<{ readonly key: string; readonly records: readonly ShardRecord[] }> {
  const path = `${root}/${key}`;
  const lines = ((await bucket.get(key))?.toString() ?? '').split('\n').slice(0, -1);
  return { key, records: lines.map((line, index) => ({ record: parseRecord(path, index + 1, line), path })) };
}
