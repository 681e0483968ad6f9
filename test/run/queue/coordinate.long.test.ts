import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunParts } from '../../../lib/run/run.ts';
import { needs } from '../../support/needs.ts';
import { redisServer, sharedRedis, startRedis } from '../../support/redis.ts';
import { recordsIn } from '../../support/small-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  answeringParts,
  coordinate,
  hashOf,
  startWorker,
  undisturbed,
  until,
  withQueue,
} from './distributed.ts';

/** A real redis-server; the tasks take no time. */

describe('a run over a queue in Redis', needs(redisServer), () => {
  const redis = sharedRedis();

  test('gives the records and the summary of a run in one process, no matter which worker made them', async () => {
    const folder = await temporaryFolder();
    const parts = answeringParts(40);
    const name = 'same';
    const given = { url: redis().url, parts, folder, name };
    const workers = [1, 2, 3].map(() => startWorker(redis().url, parts, { name }));
    const { summary } = await coordinate(given);
    await Promise.all(workers.map(({ ended }) => ended));
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
    expect(summary).toMatchObject({ tasks: 40, solved: 40 });
    expect(workers.flatMap(({ records }) => records)).toHaveLength(40);
    // Nothing is left behind but the workers' own keys.
    expect(await withQueue(redis().url, queue => queue.readRun(), name)).toBeNull();
  });

  test('adds the units again that the queue loses', async () => {
    const folder = await temporaryFolder();
    const parts = answeringParts(30);
    const name = 'lost';
    const given = { url: redis().url, parts, folder, name };
    const coordinated = coordinate(given);
    await withQueue(
      redis().url,
      async queue => {
        await until(async () => ((await queue.counts()).waiting === 30 ? true : null));
        redis().ask('flushall');
        expect(await queue.readRun()).toBeNull();
      },
      name,
    );
    const worker = startWorker(redis().url, parts, { name });
    await coordinated;
    await worker.ended;
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
  });

  test('is continued by a coordinator that starts again, and two coordinators share one run', async () => {
    const folder = await temporaryFolder();
    const parts = answeringParts(30);
    const name = 'twice';
    const given = { url: redis().url, parts, folder, name };
    const stop = new AbortController();
    const first = coordinate({ ...given, signal: stop.signal });
    await withQueue(redis().url, async queue => await until(() => queue.readRun()), name);
    stop.abort();
    await expect(first).rejects.toMatchObject({ code: 'INTERRUPTED' });
    const both = [
      coordinate({ ...given, given: { resume: true } }),
      coordinate({ ...given, file: 'other.jsonl' }),
    ];
    const worker = startWorker(redis().url, parts, { name });
    await Promise.all(both);
    worker.drain();
    await worker.ended;
    const alone = await undisturbed(given);
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(alone);
    expect(await hashOf(join(folder, 'other.jsonl'))).toBe(alone);
  });

  test('says which field of two records of one unit disagrees, and shows both', async () => {
    const folder = await temporaryFolder();
    const parts = answeringParts(3);
    const given = { url: redis().url, parts, folder, name: 'disagree' };
    await undisturbed(given);
    const [record] = await recordsIn(join(folder, 'alone.jsonl'));
    const shards = join(folder, 'r.shards');
    await mkdir(shards);
    const line = (changed: object) => `${JSON.stringify({ ...record, ...changed })}\n`;
    await writeFile(join(shards, 'a.jsonl'), line({ runtime_sec: 1 }) + line({ runtime_sec: 2 }));
    await writeFile(join(shards, 'b.jsonl'), line({ stdout: 'something else' }));
    await expect(coordinate(given)).rejects.toMatchObject({
      code: 'RECORDS_DISAGREE',
      message: `set/0 was recorded twice with another stdout: ${JSON.stringify(record?.stdout)} in ${join(shards, 'a.jsonl')}; "something else" in ${join(shards, 'b.jsonl')}.`,
    });
  });

  test('reads only whole lines of a shard that is being written', async () => {
    const folder = await temporaryFolder();
    const parts = answeringParts(2);
    const given = { url: redis().url, parts, folder, name: 'torn' };
    const alone = await undisturbed(given);
    const shards = join(folder, 'r.shards');
    await mkdir(shards);
    const text = await readFile(join(folder, 'alone.jsonl'), 'utf8');
    const cut = text.length - 40;
    await writeFile(join(shards, 'a.jsonl'), text.slice(0, cut));
    const coordinated = coordinate(given);
    await withQueue(
      redis().url,
      async queue => await until(async () => ((await queue.counts()).waiting === 1 ? true : null)),
      'torn',
    );
    await appendFile(join(shards, 'a.jsonl'), text.slice(cut));
    await coordinated;
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(alone);
  });

  test('puts many cheap units in a job', async () => {
    const folder = await temporaryFolder();
    const parts = answeringParts(100);
    const name = 'batch';
    const given = { url: redis().url, parts, folder, name, options: { batch: 16 } };
    const coordinated = coordinate(given);
    await withQueue(
      redis().url,
      async queue => await until(async () => ((await queue.counts()).waiting === 7 ? true : null)),
      name,
    );
    const worker = startWorker(redis().url, parts, { name });
    await coordinated;
    await worker.ended;
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
  });

  test('stops, and stops the workers, once all of them together have spent --max-cost; resumed, it counts on', async () => {
    const folder = await temporaryFolder();
    const parts = answeringParts(200);
    let answers = 0;
    let end = () => {};
    const ended = new Promise<void>(resolve => {
      end = resolve;
    });
    const createModel: RunParts['createModel'] = async (...given) => {
      const model = await parts.createModel(...given);
      return {
        ...model,
        async generate(...asked) {
          // Later answers come only after the end of the run.
          if (++answers > 40) await ended;
          return await model.generate(...asked);
        },
      };
    };
    const name = 'cost';
    // Each record costs two.
    const prices = { priceIn: '1000000', priceOut: '1000000' };
    const given = { url: redis().url, parts, folder, name, given: prices };
    const workers = [1, 2].map(() => startWorker(redis().url, { ...parts, createModel }, { name }));
    await expect(coordinate({ ...given, options: { maxCost: 20 } })).rejects.toMatchObject({
      code: 'COST_REACHED',
    });
    end();
    await Promise.all(workers.map(({ ended }) => ended));
    expect(workers.flatMap(({ records }) => records).length).toBeLessThan(200);
    const recorded = async () => (await recordsIn(join(folder, 'r.jsonl'))).length;
    expect(await recorded()).toBe(10);
    // Some of the records that were made meanwhile.
    const more = { ...given, given: { ...prices, resume: true } };
    await expect(coordinate({ ...more, options: { maxCost: 22 } })).rejects.toMatchObject({
      code: 'COST_REACHED',
    });
    expect(await recorded()).toBe(11);
    const last = startWorker(redis().url, parts, { name });
    await coordinate(more);
    await last.ended;
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
  });

  test('refuses a queue and a folder of another run', async () => {
    const folder = await temporaryFolder();
    const [parts, others] = [answeringParts(2), answeringParts(2, { prompts: 'sha256:other' })];
    const stop = new AbortController();
    const name = 'occupied';
    const first = coordinate({ url: redis().url, parts, folder, name, signal: stop.signal });
    await withQueue(redis().url, async queue => await until(() => queue.readRun()), name);
    const second = { url: redis().url, parts: others, folder, file: 's.jsonl' };
    await expect(coordinate({ ...second, name })).rejects.toMatchObject({
      code: 'QUEUE_OCCUPIED',
      message: expect.stringMatching(
        /^The queue occupied at redis:\/\/127.0.0.1:\d+ holds another run: script on set, which writes /,
      ),
    });
    const shards = join(folder, 'r.shards');
    await expect(coordinate({ ...second, name: 'free', options: { shards } })).rejects.toMatchObject({
      code: 'SHARDS_TAKEN',
    });
    stop.abort();
    await expect(first).rejects.toThrow();
  });

  test('warns of settings that lose work', async () => {
    const careless = await startRedis('--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru');
    try {
      const warnings = await withQueue(careless.url, async queue => queue.warnings);
      expect(warnings).toEqual([
        expect.stringContaining('redis-cli config set appendonly yes'),
        expect.stringContaining('redis-cli config set maxmemory-policy noeviction'),
      ]);
      expect(await withQueue(redis().url, async queue => queue.warnings)).toEqual([]);
    } finally {
      await careless.close();
    }
  });
});
