import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { end } from '../files/hub/fake-hub.ts';
import { smallModelHub } from '../files/hub/small-model-hub.ts';
import { hefixHere, writeSmallSet } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ID = 'some-org/some-model';

describe('pull', () => {
  test('downloads over broken connections, builds, and prints the model’s location', async () => {
    const { hub, env } = await scene();
    hub.cuts.push(500, 0, 100);
    const { stdout, stderr, exitCode } = await hefixHere(['pull', ID, '--dtype', 'q4'], { env });
    const ready = JSON.parse(String(stdout));
    expect(String(stderr).split('\n')).toEqual([
      `Fetching ${ID}: 1 MiB, once.`,
      `Building a graph for ${ID} in q4, once: reading its texts.`,
      `Building a graph for ${ID} in q4, once: choosing how its weights are rounded.`,
      `Building a graph for ${ID} in q4, once: writing its weights.`,
      `Building a graph for ${ID} in q4, once: comparing it with the float weights.`,
      expect.stringMatching(
        /^q4: same next token as fp32 in \d+\.\d% of \d{3} positions, KL (below )?0\.\d+$/,
      ),
      `${ID} is ready in ${ready.folder}`,
    ]);
    expect(ready).toMatchObject({ name: ID, weightType: 'q4', commit: hub.commit });
    expect(ready.exactness).toMatchObject({ weightType: 'q4', positions: 512 });
    expect(readdirSync(join(ready.folder, 'onnx'))).toContain('model_q4.onnx');
    expect(exitCode).toBe(0);
  });

  test('downloads nothing twice, and prints the model’s location', async () => {
    const { env } = await scene();
    const first = await hefixHere(['pull', ID], { env });
    const again = await hefixHere(['pull', ID], { env });
    expect(again.stderr).toMatch(new RegExp(`^w8a8: .*\\n${ID} is ready in .+$`));
    expect(again.stdout).toBe(first.stdout);
    const offline = await hefixHere(['pull', ID], { env: { ...env, HF_HUB_OFFLINE: '1' } });
    expect(offline.stdout).toBe(first.stdout);
  });

  test.each([
    [401, 'HUB_UNAUTHORIZED'],
    [403, 'HUB_FORBIDDEN'],
    [404, 'HUB_NOT_FOUND'],
  ])('status %i gives one sentence and a hint', async (status, code) => {
    const { hub, env } = await scene();
    hub.disturb = (_, response) => end(response, status);
    const { stderr, stdout, exitCode } = await hefixHere(['pull', ID], { env });
    expect(String(stderr).split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^error .*\\. \\[${code}\\]$`)),
      expect.stringMatching(/\.$/),
    ]);
    expect([stdout, exitCode]).toEqual(['', 1]);
  });

  test('knows short names', async () => {
    const { hub, env } = await scene();
    await hefixHere(['pull', 'qwen3-0.6b'], { env });
    expect(hub.requests[0]?.url).toMatch(/^\/api\/models\/Qwen\/Qwen3-0\.6B\/revision\/main/);
  });

  test('requires a model', async () => {
    const { stderr, exitCode } = await hefixHere(['pull']);
    expect(stderr).toContain('[ARGUMENT_MISSING]');
    expect(exitCode).toBe(1);
  });
});

test('a pulled model is listed, and runs without a network', async () => {
  const { hub, env } = await scene();
  await hefixHere(['pull', ID, '--dtype', 'q4-128'], { env });
  hub.disturb = (_, response) => end(response, 503);
  const folder = await temporaryFolder();
  const { stdout } = await hefixHere(['models', '--json', '--folder', folder], { env });
  expect(JSON.parse(String(stdout))).toContainEqual(
    expect.objectContaining({
      name: ID,
      id: ID,
      folder: expect.stringContaining(hub.commit),
      exactness: [expect.objectContaining({ weightType: 'q4-128', positions: 512 })],
    }),
  );
  const [built = ''] = readdirSync(join(env.HEFIX_CACHE, 'models'));
  const measured = { weightType: 'q4-128', processor: 'any', threads: 2, speedUp: 1.5, identical: true };
  const file = join(env.HEFIX_CACHE, 'models', built, 'onnx', 'sequences_q4-128.json');
  writeFileSync(file, JSON.stringify(measured));
  const table = await hefixHere(['models', '--folder', folder], { env });
  expect(table.stdout).toContain('\n  q4-128: same next token as fp32 in ');
  expect(table.stdout).toContain('\n  q4-128: passes of several tasks are batched, 1.5 times as fast');
  const { stderr, summary, options, model } = await runSmallSet(folder, env, [
    '--dtype',
    'q4-128',
    '--threads',
    '1',
  ]);
  expect(stderr).not.toMatch(/Fetching|Building/);
  expect(summary).toMatchObject({ model: { name: ID } });
  expect(model.exactness).toMatchObject({ weightType: 'q4-128', positions: 512 });
  expect(options).toMatchObject({ dtype: 'q4-128', device: 'cpu', threads: 1, noLookup: false });
});

test('what was downloaded and built of a model is listed with its size, and removed by name', async () => {
  const { env } = await scene();
  await hefixHere(['pull', ID, '--dtype', 'q4-128'], { env });
  const folder = await temporaryFolder();
  const models = async (...more: string[]) =>
    (await hefixHere(['models', '--json', '--folder', folder, ...more], { env })).stdout;
  const [listed] = JSON.parse(String(await models())).filter(({ id }: { id: string }) => id === ID);
  const stored = { bytes: expect.any(Number), folder: expect.stringContaining('some-org--some-model') };
  expect(listed).toMatchObject({ ...stored, built: [{ ...stored, kind: 'built' }] });
  const removed = JSON.parse(String(await models('--remove', ID)));
  expect(removed.map(({ kind }: { kind: string }) => kind)).toEqual(['built', 'downloaded']);
  for (const { folder: gone, bytes } of removed)
    expect([existsSync(gone), bytes > 1000]).toEqual([false, true]);
  expect(await models()).not.toContain(ID);
  const again = await hefixHere(['models', '--remove', ID], { env });
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('[MODEL_NOT_STORED]')]);
});

test('a run with a model of the hub downloads and builds it with the same progress', async () => {
  const { env } = await scene();
  const { stderr, summary } = await runSmallSet(await temporaryFolder(), env, ['--no-lookup']);
  expect(stderr).toContain(
    `Fetching ${ID}: 1 MiB, once.\nBuilding a graph for ${ID} in w8a8, once: reading its texts.`,
  );
  expect(stderr).toMatch(/\nBuilt some-org\/some-model in \w+: same next token as fp32 in .+\.\n/);
  expect(summary).toMatchObject({ model: { name: ID } });
});

async function runSmallSet(folder: string, env: NodeJS.ProcessEnv, more: readonly string[]) {
  const { dataset } = await writeSmallSet(folder, 1);
  const out = join(folder, 'r.jsonl');
  const args = ['--model', ID, '--dataset', dataset, '--out', out, '--iters', '0', '--max-new-tokens', '4'];
  const { stdout, stderr } = await hefixHere([...args, ...more], { env });
  expect(stderr).not.toContain('error');
  const manifest = JSON.parse(await readFile(join(folder, 'r.manifest.json'), 'utf8'));
  return { stderr, summary: JSON.parse(String(stdout)), options: manifest.options, model: manifest.model };
}

/** A hub with a small model, and empty caches. */
async function scene() {
  const hub = await smallModelHub(ID);
  const env = {
    HF_ENDPOINT: hub.endpoint,
    HF_HOME: await temporaryFolder(),
    HEFIX_CACHE: await temporaryFolder(),
    HF_TOKEN: undefined,
  };
  return { hub, env };
}
