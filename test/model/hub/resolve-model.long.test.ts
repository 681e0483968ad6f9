import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DIVERGENCE_LIMIT } from '../../../lib/core/measurements.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { resolveModel } from '../../../lib/model/hub/resolve-model.ts';
import { loadLanguageModel } from '../../../lib/model/language-model.ts';
import { openModelFolder } from '../../../lib/model/model-folder.ts';
import { processorFeatures } from '../../../lib/model/onnx/processor-features.ts';
import type { WeightType } from '../../../lib/model/onnx/session.ts';
import { end, fakeHub } from '../../files/hub/fake-hub.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { golden } from '../build/golden.ts';
import { argMax, runGraph } from '../build/run-graph.ts';
import { byteTokenizerFiles } from './byte-tokenizer.ts';

const ID = 'some-org/some-model';

describe('a model on the hub', () => {
  test('a model with only safetensors is downloaded, built, and answers as transformers does', async () => {
    const { options, hub } = await scene();
    const builds: number[] = [];
    const model = await resolveModel(ID, {
      ...options,
      weightType: 'fp32',
      onBuild: ({ doneWeights, totalWeights }) => builds.push(doneWeights / totalWeights),
    });
    expect(model).toMatchObject({ name: ID, weightType: 'fp32', commit: hub.commit });
    expect(builds.at(-1)).toBe(1);
    expect(await greedyTokens(model)).toEqual(golden('qwen2').tokens);
  });

  test.each(['auto', 'q8', 'q4', 'q4-128', 'w8a8'] as const)('is built in %s and loads', async weightType => {
    const { options } = await scene();
    const model = await resolveModel(ID, { ...options, weightType });
    expect(model.weightType).toBe(weightType === 'auto' ? 'w8a8' : weightType);
    // Which tokens a small random model prefers depends on rounding; the tests of the build compare logits.
    expect(await greedyTokens(model)).toHaveLength(golden('qwen2').tokens.length);
  });

  test('whose predictions no 8 bits can follow is built in float32 for auto', async () => {
    const { options } = await scene();
    const folder = await modelFolder();
    sharpen(folder);
    const refused: string[] = [];
    const onRefused = (one: { readonly weightType: string }) => refused.push(one.weightType);
    const { weightType, exactness } = await resolveModel(folder, { ...options, onRefused });
    expect([weightType, exactness]).toEqual(['fp32', undefined]);
    // Too far from the limit for q8 to be tried.
    expect(refused).toEqual(['w8a8']);
    const rounded = await resolveModel(folder, { ...options, weightType: 'w8a8' });
    expect(rounded.exactness?.divergence).toBeGreaterThan(2 * DIVERGENCE_LIMIT);
  });

  test('is measured again after an interruption between building and measuring', async () => {
    const { options } = await scene();
    const folder = await modelFolder();
    const controller = new AbortController();
    const interrupted = resolveModel(folder, {
      ...options,
      signal: controller.signal,
      onBuild: ({ doneWeights, totalWeights }) => {
        if (doneWeights === totalWeights) setImmediate(() => controller.abort(new Error('enough')));
      },
    });
    await expect(interrupted).rejects.toThrow('enough');
    const model = await resolveModel(folder, options);
    expect(model.exactness).toMatchObject({ weightType: 'w8a8' });
  });

  test('is measured again on a processor with other features', async () => {
    const { options } = await scene();
    const folder = await modelFolder();
    const before = await resolveModel(folder, options);
    const file = join(before.folder, 'onnx', 'model_w8a8.exactness.json');
    const other = { 'a processor without vectors': { ...before.exactness, divergence: 1 } };
    writeFileSync(file, JSON.stringify(other));
    const again = await resolveModel(folder, options);
    expect(again).toEqual(before);
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    expect(kept).toEqual({ ...other, [processorFeatures()]: before.exactness });
  });

  test('a model without a tokenizer is built, and the loader reports what is missing', async () => {
    const { options } = await scene();
    const folder = await modelFolder();
    rmSync(join(folder, 'tokenizer_config.json'));
    const model = await resolveModel(folder, options);
    expect(model.exactness).toBeUndefined();
    await expect(greedyTokens(model)).rejects.toMatchObject({ code: 'MODEL_FILE_MISSING' });
  });

  test('is neither downloaded nor built twice, without a network', async () => {
    const { options, hub } = await scene();
    const first = await resolveModel(ID, options);
    const graph = join(first.folder, 'onnx', 'model_w8a8.onnx');
    const { mtimeMs } = statSync(graph);
    hub.disturb = (_, response) => end(response, 503);
    expect(await resolveModel(ID, options)).toEqual(first);
    expect(statSync(graph).mtimeMs).toBe(mtimeMs);
  });

  test('a model with an ONNX export is used unchanged', async () => {
    const { options } = await scene({ 'onnx/model_quantized.onnx': 'graph', 'onnx/model.onnx': 'graph' });
    const { folder, weightType } = await resolveModel(ID, options);
    expect(weightType).toBe('q8');
    expect(readdirSync(join(folder, 'onnx'))).toEqual(['model_quantized.onnx']);
  });

  test('a partly cached model is completed', async () => {
    const { options } = await scene();
    const { commit } = await resolveModel(ID, options);
    const snapshot = join(
      options.env.HF_HOME,
      'hub',
      'models--some-org--some-model',
      'snapshots',
      commit ?? '',
    );
    const shard = readdirSync(snapshot).find(name => name.endsWith('.safetensors')) ?? '';
    rmSync(join(snapshot, shard));
    await resolveModel(ID, options);
    expect(readdirSync(snapshot)).toContain(shard);
  });

  test('built by two processes at once is complete for both', async () => {
    const { options } = await scene();
    const models = await Promise.all([resolveModel(ID, options), resolveModel(ID, options)]);
    expect(models[0]).toEqual(models[1]);
    expect(readdirSync(join(models[0]?.folder ?? '', 'onnx')).sort()).toEqual([
      'model_w8a8.exactness.json',
      'model_w8a8.onnx',
      'model_w8a8.onnx_data',
      'sequences_w8a8.onnx',
    ]);
  });
});

describe('a local folder', () => {
  test('can be built in several weight types at once', async () => {
    const { options } = await scene();
    const folder = await modelFolder();
    const types = ['q4', 'q4-128', 'q8', 'w8a8'] as const;
    const built = await Promise.all(
      types.map(weightType => resolveModel(folder, { ...options, weightType })),
    );
    expect(built.map(({ weightType }) => weightType)).toEqual(types);
    expect(readdirSync(built[0]?.folder ?? '').filter(name => name.endsWith('.partial'))).toEqual([]);
  });

  test('a folder with safetensors is built into the cache, and rebuilt when they change', async () => {
    const { options } = await scene();
    const folder = await modelFolder();
    const before = await resolveModel(folder, options);
    expect(before.folder.startsWith(options.env.HEFIX_CACHE)).toBe(true);
    expect(readdirSync(folder)).not.toContain('onnx');
    const shard = readFileSync(join(folder, 'model-00001-of-00002.safetensors'));
    writeFileSync(join(folder, 'model-00001-of-00002.safetensors'), shard);
    expect((await resolveModel(folder, options)).folder).not.toBe(before.folder);
    expect(readdirSync(dirname(before.folder))).toHaveLength(1);
  });

  test('a folder with longrope has the positions of its short factors', async () => {
    const { options } = await scene();
    const built = await resolveModel(await modelFolder('phi3-long'), { ...options, weightType: 'fp32' });
    const config = JSON.parse(readFileSync(join(built.folder, 'config.json'), 'utf8'));
    expect(config.max_position_embeddings).toBe(96);
  });

  test('a folder with a graph is used unchanged', async () => {
    const folder = packageFile('fixtures/reference');
    expect(await resolveModel(folder)).toEqual({
      name: 'reference',
      folder,
      weightType: 'fp32',
      commit: null,
    });
  });

  test('a folder without a model is left to the loader', async () => {
    const folder = await temporaryFolder();
    expect(await resolveModel(folder)).toMatchObject({ folder, weightType: 'auto' });
  });
});

test('a bundled name takes precedence', async () => {
  const bundled = { tiny: '/some/folder' };
  const expected = { name: 'tiny', folder: '/some/folder', weightType: 'auto', commit: null };
  expect(await resolveModel('tiny', { bundled })).toEqual(expected);
});

test.each(['toString', 'no-such-model', './missing/folder', '/missing/folder', 'a/b/c'])(
  '%s is not a model',
  async name => {
    await expect(resolveModel(name)).rejects.toMatchObject({ code: 'MODEL_UNKNOWN' });
  },
);

/** Loads the folder as a run does, and returns the tokens that its graph prefers. */
async function greedyTokens(model: { folder: string; weightType: WeightType }): Promise<number[]> {
  const loaded = await loadLanguageModel({
    name: ID,
    ...model,
    threads: 1,
    device: 'cpu',
    lookup: true,
    graphs: null,
  });
  const request = { messages: [{ role: 'user', content: 'def' }], maxNewTokens: 3, ...greedy } as const;
  expect(await loaded.generate(request)).toMatchObject({ promptTokens: 3, completionTokens: 3 });
  await loaded.release();

  const { prompt, tokens } = golden('qwen2');
  const run = await runGraph((await openModelFolder(model.folder, model.weightType)).onnxFile);
  const chosen: number[] = [];
  for (let next = [...prompt]; chosen.length < tokens.length; next = chosen.slice(-1)) {
    const [row = new Float32Array()] = (await run.pass(next)).logits;
    chosen.push(argMax(row));
  }
  await run.release();
  return chosen;
}

const greedy = { temperature: 0, topP: 1, topK: 0, seed: 0 };

/** Multiplies all logits of the model by 100, so that rounding changes the likeliest tokens. */
function sharpen(folder: string): void {
  const index = JSON.parse(readFileSync(join(folder, 'model.safetensors.index.json'), 'utf8'));
  const path = join(folder, index.weight_map['model.norm.weight']);
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + length));
  const { dtype, data_offsets: offsets } = header['model.norm.weight'];
  const [from, to] = offsets.map((offset: number) => 8 + length + offset);
  if (dtype === 'F32') {
    for (let at = from; at < to; at += 4) bytes.writeFloatLE(bytes.readFloatLE(at) * 100, at);
  } else {
    // The exponent of bfloat16 plus 7: times 128.
    for (let at = from; at < to; at += 2) bytes.writeUInt16LE(bytes.readUInt16LE(at) + (7 << 7), at);
  }
  writeFileSync(path, bytes);
}

async function modelFolder(name: Parameters<typeof golden>[0] = 'qwen2'): Promise<string> {
  const folder = await temporaryFolder();
  cpSync(golden(name).folder, folder, { recursive: true });
  for (const [file, text] of Object.entries(byteTokenizerFiles())) writeFileSync(join(folder, file), text);
  return folder;
}

async function scene(more: Readonly<Record<string, string>> = {}) {
  const folder = await modelFolder();
  const names = readdirSync(folder).filter(name => !name.startsWith('golden'));
  const files = Object.fromEntries(names.map(name => [name, readFileSync(join(folder, name))]));
  const extra = Object.fromEntries(Object.entries(more).map(([name, text]) => [name, Buffer.from(text)]));
  const hub = await fakeHub(ID, { ...files, ...extra });
  const env = {
    HF_ENDPOINT: hub.endpoint,
    HF_HOME: await temporaryFolder(),
    HEFIX_CACHE: await temporaryFolder(),
  };
  return { hub, options: { env, retryWaits: [10] } };
}
