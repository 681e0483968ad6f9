import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunParts } from '../../../lib/run/run.ts';
import { needs } from '../../support/needs.ts';
import { postgresServer, startPostgres } from '../../support/postgres.ts';
import { freePort, redisServer, sharedRedis } from '../../support/redis.ts';
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

/** The most jobs that may have started since then, with so many in a minute. */
const allowed = (inMinute: number, since: number) =>
  inMinute * (1 + Math.floor((performance.now() - since) / 60_000));

/** A model that answers once `open` is called. */
function gatedParts(count: number): { readonly parts: RunParts; readonly asked: () => number; open(): void } {
  let open = () => {};
  let asked = 0;
  const gate = new Promise<void>(resolve => {
    open = resolve;
  });
  const parts = answeringParts(count);
  const createModel: RunParts['createModel'] = async (...given) => {
    const model = await parts.createModel(...given);
    return {
      ...model,
      async generate(request, options) {
        asked++;
        const aborted = new Promise<never>((_, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        });
        aborted.catch(() => {});
        await Promise.race([gate, aborted]);
        return await model.generate(request, options);
      },
    };
  };
  return { parts: { ...parts, createModel }, asked: () => asked, open };
}

describe('a worker', needs(redisServer), () => {
  const redis = sharedRedis();

  test('drains: finishes what it holds, and leaves the rest to others', async () => {
    const folder = await temporaryFolder();
    const name = 'drain';
    const { parts, asked, open } = gatedParts(10);
    const given = { url: redis().url, parts: answeringParts(10), folder, name };
    const coordinated = coordinate(given);
    const first = startWorker(redis().url, parts, { name, concurrency: 3 });
    await until(async () => (asked() >= 3 ? true : null));
    first.drain();
    open();
    await first.ended;
    expect(first.records).toHaveLength(3);
    const second = startWorker(redis().url, given.parts, { name });
    await coordinated;
    await second.ended;
    expect(second.records).toHaveLength(7);
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
  });

  test('gives back what it holds if it is to end at once', async () => {
    const folder = await temporaryFolder();
    const name = 'back';
    const { parts, asked } = gatedParts(4);
    const given = { url: redis().url, parts: answeringParts(4), folder, name };
    const coordinated = coordinate({ ...given, options: { lockSeconds: 600 } });
    const first = startWorker(redis().url, parts, { name, concurrency: 4 });
    await until(async () => (asked() >= 4 ? true : null));
    first.drain();
    first.giveBack();
    await first.ended;
    expect(first.records).toEqual([]);
    // The lock of ten minutes was released, too.
    const second = startWorker(redis().url, given.parts, { name });
    await coordinated;
    await second.ended;
    expect(await readdir(join(folder, 'r.shards'))).toHaveLength(2);
  });

  test('refuses a run that it would not run alike, and says how to allow it', async () => {
    const folder = await temporaryFolder();
    const name = 'differs';
    const stop = new AbortController();
    const coordinated = coordinate({
      url: redis().url,
      parts: answeringParts(2),
      folder,
      name,
      signal: stop.signal,
    });
    const differs = async (changed: Partial<RunParts>) =>
      await startWorker(redis().url, answeringParts(2, changed), { name }).ended.catch(error => error);
    expect(await differs({ versions: { hefix: '9.9.9' } })).toMatchObject({
      code: 'WORKER_DIFFERS',
      message: 'The run has version of hefix 0.0.0, and this worker has 9.9.9.',
      hint: 'Give the worker the same, or accept the difference with --allow hefix.',
    });
    const { createModel } = answeringParts(2);
    const other: RunParts['createModel'] = async (...given) => ({
      ...(await createModel(...given)),
      fingerprint: 'sha256:4',
    });
    expect((await differs({ createModel: other })).message).toMatch(/^The run has model script \(3\), and/);
    const elsewhere = startWorker(redis().url, answeringParts(2), { name, shards: await temporaryFolder() });
    await expect(elsewhere.ended).rejects.toMatchObject({ code: 'SHARDS_NOT_SHARED' });
    const allowed = startWorker(redis().url, answeringParts(2, { versions: { hefix: '9.9.9' } }), {
      name,
      allowed: ['hefix'],
    });
    await coordinated;
    await allowed.ended;
    expect(allowed.records).toHaveLength(2);
    stop.abort();
  });

  test('a worker without a shared folder sends its records to the coordinator, with a token', async () => {
    const folder = await temporaryFolder();
    const name = 'upload';
    const parts = answeringParts(20);
    const address = `http://127.0.0.1:${await freePort()}`;
    const collect = { address, certificate: undefined, key: undefined, token: 'right' };
    const given = { url: redis().url, parts, folder, name };
    const coordinated = coordinate({ ...given, options: { collect } });
    const told = startWorker(redis().url, parts, { name, token: 'right' });
    await expect(told.ended).rejects.toMatchObject({ code: 'SHARDS_NOT_NAMED' });
    const without = startWorker(redis().url, parts, { name, collect: address });
    await expect(without.ended).rejects.toMatchObject({ code: 'COLLECT_TOKEN_MISSING' });
    const wrong = startWorker(redis().url, parts, { name, collect: address, token: 'wrong' });
    await expect(wrong.ended).rejects.toMatchObject({
      code: 'UPLOAD_REFUSED',
      message: `The coordinator at ${address} refuses the records: The token is wrong.`,
    });
    const right = startWorker(redis().url, parts, { name, collect: address, token: 'right' });
    await coordinated;
    await right.ended;
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
  });

  test('shares a limit of jobs in a minute with the other workers', async () => {
    const folder = await temporaryFolder();
    const name = 'rate';
    const parts = answeringParts(12);
    const given = { url: redis().url, parts, folder, name };
    const coordinated = coordinate({ ...given, options: { jobsPerMinute: 5 } });
    await withQueue(
      redis().url,
      async queue => {
        await until(() => queue.readRun());
        const started = performance.now();
        const workers = [1, 2, 3].map(() => startWorker(redis().url, parts, { name }));
        const done = () => workers.flatMap(({ records }) => records).length;
        await until(async () => (done() >= 5 ? true : null));
        await new Promise(resolve => setTimeout(resolve, 2000));
        expect(done()).toBeLessThanOrEqual(allowed(5, started));
        await queue.limit(0);
        for (const worker of workers) worker.drain();
        await Promise.all(workers.map(({ ended }) => ended));
        const last = startWorker(redis().url, parts, { name });
        await coordinated;
        await last.ended;
      },
      name,
    );
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
  });

  test('waits while the queue is paused, and while no more jobs may start in this minute', async () => {
    const folder = await temporaryFolder();
    const name = 'pause';
    const parts = answeringParts(30);
    const coordinated = coordinate({ url: redis().url, parts, folder, name, options: { jobsPerMinute: 2 } });
    await withQueue(
      redis().url,
      async queue => {
        await until(() => queue.readRun());
        await queue.pause();
        const worker = startWorker(redis().url, parts, { name });
        await until(async () => ((await queue.counts()).workers > 0 ? true : null));
        expect(await queue.counts()).toMatchObject({ paused: true, active: 0 });
        const started = performance.now();
        await queue.resume();
        await until(async () => (worker.records.length >= 2 ? true : null));
        worker.drain();
        await worker.ended;
        expect(worker.records.length).toBeLessThanOrEqual(allowed(2, started));
        await queue.limit(0);
        const second = startWorker(redis().url, parts, { name });
        await coordinated;
        await second.ended;
      },
      name,
    );
  });
});

test('a run over a queue in PostgreSQL gives the same records', needs(postgresServer), async () => {
  const postgres = await startPostgres();
  try {
    const folder = await temporaryFolder();
    const parts = answeringParts(40);
    const given = { url: postgres.url, parts, folder };
    const workers = [1, 2].map(() => startWorker(postgres.url, parts));
    await coordinate(given);
    await Promise.all(workers.map(({ ended }) => ended));
    expect(await hashOf(join(folder, 'r.jsonl'))).toBe(await undisturbed(given));
    expect(await withQueue(postgres.url, async queue => queue.name)).toMatch(
      /^hefix at postgres:\/\/127\.0\.0\.1:\d+\/postgres$/,
    );
    const wrong = postgres.url.replace('secret', 'wrong');
    await expect(withQueue(wrong, queue => queue.counts())).rejects.toMatchObject({ code: 'QUEUE_REFUSED' });
  } finally {
    await postgres.close();
  }
});
