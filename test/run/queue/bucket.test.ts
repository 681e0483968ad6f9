import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openShards } from '../../../lib/run/queue/shards/open-shards.ts';
import { needs } from '../../support/needs.ts';
import { redisServer, startRedis } from '../../support/redis.ts';
import { type S3Server, startS3 } from '../../support/s3.ts';
import { recordsIn } from '../../support/small-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { answeringParts, coordinate, hashOf, startWorker, undisturbed } from './distributed.ts';

describe('records in S3-compatible storage', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(async () => await s3.close());
  beforeEach(() => {
    for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
    return () => vi.unstubAllEnvs();
  });
  const never = new AbortController().signal;
  const at = (prefix: string) => `s3://${s3.bucket}/${prefix}`;
  const someRecord = async () => {
    const folder = await temporaryFolder();
    await undisturbed({ url: '', parts: answeringParts(1), folder });
    const [record] = await recordsIn(join(folder, 'alone.jsonl'));
    if (record === undefined) throw new Error('There is no record.');
    return record;
  };
  const read = async (shards: Awaited<ReturnType<typeof openShards>>, followed = shards.follow()) => {
    const found: string[] = [];
    for await (const { record, path } of followed.read()) found.push(`${record.sample} in ${path}`);
    return found;
  };

  test('records of many workers are read at once without a warning about listeners', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const record = await someRecord();
    const shards = await openShards(at('many'), new AbortController().signal);
    const sinks = Array.from({ length: 20 }, (_, index) => shards.create(`worker-${index}`));
    await Promise.all(sinks.map(async sink => await sink.write(record)));
    await Promise.all(sinks.map(async sink => await sink.sync()));
    expect(await read(shards)).toHaveLength(20);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });

  test('are read once, in the order of each worker, also those of several megabytes', async () => {
    const record = await someRecord();
    const shards = await openShards(at('order/'), never);
    await shards.prepare('a');
    const [one, two] = [shards.create('one'), shards.create('two')];
    const long = { ...record, stdout: 'x'.repeat(12 * 2 ** 20) };
    await one.write({ ...record, sample: 1 });
    await one.write({ ...long, sample: 2 });
    await one.sync();
    const followed = shards.follow();
    expect(await read(shards, followed)).toEqual([
      `1 in ${at('order/one/00000001.jsonl')}`,
      `2 in ${at('order/one/00000001.jsonl')}`,
    ]);
    await one.write({ ...record, sample: 3 });
    await two.write({ ...record, sample: 4 });
    await Promise.all([one.sync(), two.sync()]);
    expect(await read(shards, followed)).toEqual([
      `3 in ${at('order/one/00000002.jsonl')}`,
      `4 in ${at('order/two/00000001.jsonl')}`,
    ]);
    expect(await read(shards, followed)).toEqual([]);
    const found = await shards.recordIn(at('order/one/00000001.jsonl'), JSON.stringify([record.task_id, 2]));
    expect(found?.stdout).toHaveLength(12 * 2 ** 20);
  });

  test('belong to one run, and a worker finds out whether it has the same place', async () => {
    const shards = await openShards(at('taken'), never);
    await expect(shards.check('a')).rejects.toMatchObject({ code: 'SHARDS_NOT_SHARED' });
    await shards.prepare('a');
    await shards.prepare('a');
    await shards.check('a');
    await expect(shards.prepare('b')).rejects.toMatchObject({ code: 'SHARDS_TAKEN' });
  });

  test('records that cannot be stored are said so, without the secret key', async () => {
    const missing = await openShards('s3://no-such-bucket/x', never);
    await expect(missing.prepare('a')).rejects.toMatchObject({
      code: 'SHARDS_UNUSABLE',
      message: expect.stringMatching(/^s3:\/\/no-such-bucket\/x cannot be used: .*bucket does not exist/),
    });
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'another');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'topsecret');
    const refused = await (await openShards(at('x'), never)).prepare('a').catch(error => error);
    expect(refused).toMatchObject({ code: 'SHARDS_UNUSABLE' });
    expect(JSON.stringify([refused.message, refused.hint])).not.toContain('topsecret');
  });

  test('wait for a server that is away', async () => {
    const record = await someRecord();
    const shards = await openShards(at('away'), never);
    await shards.prepare('a');
    const one = shards.create('one');
    await s3.stop();
    await one.write(record);
    const stored = one.sync();
    await new Promise(resolve => setTimeout(resolve, 300));
    await s3.start();
    await stored;
    expect(await read(shards)).toHaveLength(1);
  });

  test('records of a run over a queue are those of a run in one process', needs(redisServer), async () => {
    const redis = await startRedis('--appendonly', 'yes');
    onTestFinished(redis.close);
    const folder = await temporaryFolder();
    const parts = answeringParts(30);
    const shards = at('runs/first');
    const given = { url: redis.url, parts, folder, options: { shards } };
    const workers = [1, 2].map(() => startWorker(redis.url, parts, { shards }));
    const { summary } = await coordinate(given);
    await Promise.all(workers.map(({ ended }) => ended));
    expect(summary).toMatchObject({ tasks: 30, solved: 30 });
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
  });
});
