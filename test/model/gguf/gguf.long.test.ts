import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { buildModel } from '../../../lib/model/build/build-model.ts';
import { readRows } from '../../../lib/model/build/checkpoint/read-rows.ts';
import { readGguf } from '../../../lib/model/gguf/read-gguf.ts';
import { listOllama } from '../../../lib/model/hub/ollama-store.ts';
import { resolveModel } from '../../../lib/model/hub/resolve-model.ts';
import { createOnnxModel } from '../../../lib/model/onnx/onnx-model.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { float, integer, type WrittenTensor, word } from '../../support/write-gguf.ts';
import { golden } from '../build/golden.ts';
import { largestDifference, runGraph } from '../build/run-graph.ts';
import { type GoldenName, goldenGguf, type Metadata, otherGoldens, wholeGoldens } from './golden-gguf.ts';

test('tensors of every type are the numbers that the reference reads, bit for bit', async () => {
  const path = packageFile('fixtures/gguf/types.gguf');
  const expected = readFileSync(packageFile('fixtures/gguf/types.f32'));
  const { tensors } = await readGguf(path);
  const file = await open(path, 'r');
  const found: Buffer[] = [];
  for (const tensor of tensors.values()) {
    for await (const piece of readRows({ ...tensor, file, path }, tensor.reader)) {
      found.push(Buffer.from(piece.buffer.slice(piece.byteOffset, piece.byteOffset + piece.byteLength)));
    }
  }
  await file.close();
  expect(tensors.size).toBe(11);
  expect(Buffer.concat(found).equals(expected)).toBe(true);
});

describe('a graph built from a GGUF file', () => {
  test.each(wholeGoldens)('%s computes the logits of transformers', async name => {
    const { logits } = golden(name);
    expectSame(await logitsOf(join((await resolve(await goldenGguf(name))).folder, 'onnx'), name), logits);
  });

  const others = Object.entries(otherGoldens) as [
    keyof typeof otherGoldens,
    Readonly<Record<string, unknown>>,
  ][];
  test.each(others)('%s computes the logits of the same weights in safetensors', async (name, changes) => {
    const [source, target] = [await temporaryFolder(), await temporaryFolder()];
    cpSync(golden(name).folder, source, { recursive: true });
    const config = JSON.parse(readFileSync(join(source, 'config.json'), 'utf8'));
    writeFileSync(join(source, 'config.json'), JSON.stringify({ ...config, ...changes }));
    await buildModel({ source, target, weightType: 'fp32' });
    const expected = await logitsOf(target, name);
    expectSame(await logitsOf(join((await resolve(await goldenGguf(name))).folder, 'onnx'), name), expected);
  });

  /** Those that the golden tokens were chosen from. */
  async function logitsOf(folder: string, name: GoldenName): Promise<readonly Float32Array[]> {
    const { prompt, tokens } = golden(name);
    const run = await runGraph(join(folder, 'model.onnx'));
    const { logits } = await run.pass([...prompt, ...tokens.slice(0, -1)], tokens.length);
    await run.release();
    return logits;
  }

  function expectSame(found: readonly Float32Array[], expected: readonly Float32Array[]): void {
    expect(found.length).toBe(expected.length);
    for (const [index, row] of found.entries()) {
      expect(largestDifference(expected[index] ?? new Float32Array(), row)).toBeLessThan(1e-4);
    }
  }
});

test('a GGUF file is a model, by its path or as the only one in a folder', async () => {
  const path = await goldenGguf('llama');
  for (const given of [path, join(path, '..')]) {
    const { name, folder, weightType, exactness } = await resolve(given, 'q8');
    expect(name).toBe('llama');
    expect(exactness).toMatchObject({ weightType: 'q8' });
    const model = await createOnnxModel({ name, folder, weightType, threads: 1 });
    const messages = [{ role: 'user' as const, content: 'def f(x):' }];
    const { completionTokens } = await model.generate({ ...greedy, messages });
    await model.close();
    expect(completionTokens).toBeGreaterThan(0);
  }
});

const greedy = { temperature: 0, topP: 1, topK: 0, maxNewTokens: 4, seed: 0 };

async function resolve(path: string, weightType: 'fp32' | 'q8' | 'fp16' = 'fp32') {
  return await resolveModel(path, { weightType, env: { HEFIX_CACHE: await temporaryFolder() } });
}

describe('refuses in one sentence', () => {
  const settings: Record<string, [name: GoldenName, (given: Metadata) => Metadata, sentence: string]> = {
    'other architectures': [
      'llama',
      given => ({ ...given, 'general.architecture': word('gemma2') }),
      'has the architecture gemma2',
    ],
    'settings that it does not know': [
      'llama',
      given => ({ ...given, 'llama.attention.scale': float(0.1) }),
      'asks for the setting llama.attention.scale',
    ],
    experts: ['qwen2', given => ({ ...given, 'qwen2.expert_count': integer(8) }), 'asks for several experts'],
    'partial rotary embeddings': [
      'qwen2',
      given => ({ ...given, 'qwen2.rope.dimension_count': integer(8) }),
      'asks for partial rotary embeddings',
    ],
    'rope scaling of other types': [
      'llama',
      given => ({ ...given, 'llama.rope.scaling.type': word('longrope') }),
      'asks for rope scaling of the type longrope',
    ],
    'other tokenizers': [
      'llama',
      given => ({ ...given, 'tokenizer.ggml.model': word('bert') }),
      'asks for the tokenizer bert',
    ],
    'other pre-tokenizers': [
      'llama',
      given => ({ ...given, 'tokenizer.ggml.pre': word('bloom') }),
      'asks for the pre-tokenizer bloom',
    ],
    'models without a chat template': [
      'llama',
      ({ 'tokenizer.chat_template': _, ...given }) => given,
      'it has no chat template',
    ],
    'parts of models': [
      'llama',
      given => ({ ...given, 'split.count': integer(3) }),
      'it is one of 3 parts of a model',
    ],
  };
  test.each(Object.entries(settings))('%s', async (_, [name, metadata, sentence]) => {
    await expectRefusal(await goldenGguf(name, { metadata }), sentence);
  });

  const first =
    (changed: Partial<WrittenTensor>) =>
    ([tensor, ...others]: readonly WrittenTensor[]): readonly WrittenTensor[] =>
      tensor ? [{ ...tensor, ...changed }, ...others] : [];
  test.each([
    ['unknown types', first({ type: 10 }), 'has the type Q2_K, which hefix cannot read'],
    ['types without a name', first({ type: 77 }), 'has the type 77, which hefix cannot read'],
    ['rows that are no whole blocks', first({ type: 14 }), 'no multiple of the 256 of Q6_K'],
    ['tensors that it does not know', first({ name: 'blk.0.attn_sinks.weight' }), 'attn_sinks|no tensor'],
    ['odd names', first({ name: 'a b' }), 'it names a tensor oddly'],
  ])('%s', async (_, tensors, sentence) => {
    await expectRefusal(await goldenGguf('llama', { tensors }), sentence);
  });

  test('truncated files, wherever they end', async () => {
    const path = await goldenGguf('llama');
    const { length } = readFileSync(path);
    const sizes = [length - 1, length - 5000, 8000, 4000, 1000, 100, 23, 9];
    for (const size of sizes) {
      truncateSync(path, size);
      await expectRefusal(path, 'cut short');
    }
    truncateSync(path, 0);
    await expectRefusal(path, 'it is no GGUF file');
  });

  test('files of other formats, missing files, and folders with several', async () => {
    const folder = await temporaryFolder();
    const [path, second] = [join(folder, 'a.gguf'), join(folder, 'b.gguf')];
    await expect(resolve(path)).rejects.toMatchObject({ code: 'MODEL_UNKNOWN' });
    writeFileSync(path, 'GGML and more');
    await expectRefusal(path, 'it does not start with GGUF');
    copyFileSync(path, second);
    await expect(resolve(folder)).rejects.toMatchObject({ code: 'MODEL_FILE_AMBIGUOUS' });
    await expect(resolve(path, 'fp16')).rejects.toMatchObject({ code: 'MODEL_TYPE_NOT_BUILT' });
  });

  async function expectRefusal(path: string, sentence: string): Promise<void> {
    const error = await resolve(path).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: expect.stringMatching(/^MODEL_/) });
    expect((error as Error).message).toMatch(new RegExp(sentence));
    expect((error as Error).message).not.toContain('\n');
  }
});

describe('models of Ollama', () => {
  test('are found by name and listed', async () => {
    const store = await temporaryFolder();
    const digest = `sha256:${'ab'.repeat(32)}`;
    const add = (path: string, mediaType: string): void => {
      mkdirSync(join(store, 'manifests', path, '..'), { recursive: true });
      const manifest = { schemaVersion: 2, layers: [{ mediaType, digest, size: 7 }] };
      writeFileSync(join(store, 'manifests', path), JSON.stringify(manifest));
    };
    const weights = 'application/vnd.ollama.image.model';
    add('registry.ollama.ai/library/smollm2/135m', weights);
    add('registry.ollama.ai/library/smollm2/latest', weights);
    add('hf.co/someone/model-GGUF/Q8_0', weights);
    add('registry.ollama.ai/library/embeds/latest', 'application/vnd.ollama.image.license');
    mkdirSync(join(store, 'blobs'));
    copyFileSync(await goldenGguf('qwen2'), join(store, 'blobs', digest.replace(':', '-')));
    const ollama = { HEFIX_CACHE: await temporaryFolder(), OLLAMA_MODELS: store };

    const names = (await listOllama(ollama)).map(({ name }) => name);
    expect(names).toEqual([
      'ollama:hf.co/someone/model-GGUF:Q8_0',
      'ollama:smollm2:135m',
      'ollama:smollm2:latest',
    ]);
    // By default, the folder of the user's own Ollama.
    const home = await temporaryFolder();
    mkdirSync(join(home, '.ollama'));
    symlinkSync(store, join(home, '.ollama', 'models'));
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await listOllama({})).map(({ name }) => name)).toEqual(names);
    for (const name of [...names, 'ollama:smollm2']) {
      await expect(resolveModel(name, { weightType: 'fp32', env: ollama })).resolves.toMatchObject({
        name: expect.stringContaining(name),
      });
    }
    for (const name of ['ollama:other', 'ollama:../../x', 'ollama:']) {
      await expect(resolveModel(name, { env: ollama })).rejects.toMatchObject({ code: 'MODEL_UNKNOWN' });
    }
    await expect(resolveModel('ollama:embeds', { env: ollama })).rejects.toMatchObject({
      code: 'MODEL_FILE_INVALID',
    });
  });
});
