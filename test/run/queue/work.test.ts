import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { keyOf } from '../../../lib/core/record.ts';
import { createModel } from '../../../lib/run/model/create-model.ts';
import { batchesOf, createRequeue, readUnits, unitsOf } from '../../../lib/run/queue/requeue.ts';
import type { QueuedRun, QueueJob, WorkQueue } from '../../../lib/run/queue/work-queue.ts';
import { fakeHub } from '../../files/hub/fake-hub.ts';
import { needs } from '../../support/needs.ts';
import { redisServer, sharedRedis } from '../../support/redis.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tasks } from '../fakes.ts';
import { answeringParts, coordinate, startWorker, until, withQueue } from './distributed.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a job names tasks and samples, and nothing else', async () => {
  const added: QueueJob[] = [];
  const queue = { add: async (jobs: readonly QueueJob[]) => void added.push(...jobs) };
  const jobs = tasks(2).map((task, index) => ({ task, index, sample: 3 }));
  const units = unitsOf('a run', jobs);
  const run = { id: 'a run', batch: 2 } as QueuedRun;
  const requeue = createRequeue(queue as unknown as WorkQueue, run, batchesOf(units, 2));
  await requeue.addAll(new Map(units.map(unit => [keyOf(unit.task.id, unit.sample), unit])));
  expect(added).toEqual([{ id: expect.any(String), run: 'a run', units: '0.3 1.3' }]);
  expect(readUnits(added[0] as QueueJob, tasks(2))).toEqual(jobs);
});

describe("a worker without the run's model", needs(redisServer), () => {
  const redis = sharedRedis();

  /** How a worker refuses a run of a model, by the real rules for models. Another worker then takes the run. */
  async function refusal(name: string, model: string, lose = async () => {}): Promise<unknown> {
    const parts = answeringParts(2);
    const given = { url: redis().url, folder: await temporaryFolder(), name };
    const coordinated = coordinate({ ...given, parts, given: { model } });
    await withQueue(redis().url, async queue => await until(() => queue.readRun()), name);
    await lose();
    const worker = startWorker(redis().url, { ...parts, createModel }, { name });
    const error = await worker.ended.catch(refused => refused);
    const other = startWorker(redis().url, parts, { name });
    await coordinated;
    await other.ended;
    expect([worker.records.length, other.records.length]).toEqual([0, 2]);
    return error;
  }

  test('does not download it', async () => {
    const id = 'some-org/some-model';
    const hub = await fakeHub(id, { 'model.safetensors': Buffer.alloc(2000) });
    vi.stubEnv('HF_ENDPOINT', hub.endpoint);
    vi.stubEnv('HF_HUB_CACHE', await temporaryFolder());
    expect(await refusal('hub', id)).toMatchObject({
      code: 'MODEL_NOT_LOCAL',
      message: 'The model some-org/some-model is not on this machine.',
      hint: 'Fetch it with hefix pull some-org/some-model, or name its folder with --model.',
    });
    expect(hub.requests).toEqual([]);
  });

  test('says how to get a folder', async () => {
    const folder = join(await temporaryFolder(), 'tuned');
    await mkdir(folder);
    expect(await refusal('folder', folder, () => rm(folder, { recursive: true }))).toMatchObject({
      code: 'MODEL_NOT_LOCAL',
      message: `The model ${folder} is not on this machine.`,
      hint: 'Copy it to this machine, and name it with --model.',
    });
  });

  test('does not use another model of that name', async () => {
    expect(await refusal('other', 'hefix-mini')).toMatchObject({
      code: 'WORKER_DIFFERS',
      message: expect.stringMatching(
        /^The run has model script \(3\), and this worker has hefix-mini \(\w{12}\)\.$/,
      ),
    });
  });
});

describe('a job', needs(redisServer), () => {
  const redis = sharedRedis();

  test('is done only once its records are on the disk', async () => {
    const parts = answeringParts(2);
    const given = { url: redis().url, folder: await temporaryFolder(), name: 'disk' };
    const coordinated = coordinate({ ...given, parts });
    await withQueue(redis().url, async queue => await until(() => queue.readRun()), 'disk');
    const file = await open('/dev/null');
    const synced = vi.spyOn(Object.getPrototypeOf(file), 'datasync').mockRejectedValueOnce(new Error('EIO'));
    await file.close();
    onTestFinished(() => synced.mockRestore());
    const worker = startWorker(redis().url, parts, { name: 'disk', concurrency: 1 });
    await expect(worker.ended).rejects.toMatchObject({ code: 'OUT_NOT_WRITABLE' });
    const other = startWorker(redis().url, parts, { name: 'disk' });
    expect((await coordinated).summary).toMatchObject({ runs: 2 });
    await other.ended;
    expect(other.records.length).toBeGreaterThan(0);
  });
});
