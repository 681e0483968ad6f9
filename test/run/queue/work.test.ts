import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createModel } from '../../../lib/run/model/create-model.ts';
import { fakeHub } from '../../hub/fake-hub.ts';
import { needs } from '../../support/needs.ts';
import { redisServer, sharedRedis } from '../../support/redis.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { answeringParts, coordinate, startWorker, until, withQueue } from './distributed.ts';

afterEach(() => {
  vi.unstubAllEnvs();
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
