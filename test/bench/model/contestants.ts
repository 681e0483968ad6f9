import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { packageFile } from '../../../lib/files/package.ts';
import { type BuiltWeightType, buildModel } from '../../../lib/model/build/build-model.ts';
import { builtFolder } from '../../../lib/model/hub/built-folder.ts';
import { onnxFileName } from '../../../lib/model/onnx/session.ts';
import type { EngineOptions } from './engine.ts';
import { makeGguf } from './gguf.ts';
import { installPeers, pythonWithTorch } from './peers.ts';
import { makeRandomModel, shape } from './random-model.ts';
import { tokenizerFiles } from './recorded-repairs.ts';

export interface Contestant extends EngineOptions {
  /** Minimum number of bytes read from memory per token. */
  readonly bytesPerToken: number;
  /** Number of recorded repairs that it takes part in; defaults to all. */
  readonly mostRepairs?: number;
}

export const hefixTypes = ['q4', 'q4-128', 'w8a8'] as const satisfies readonly BuiltWeightType[];

/** Writes the random model in every format and returns its engines. */
export async function contestants(threads: number): Promise<readonly Contestant[]> {
  const peers = packageFile('.peers');
  const source = join(peers, 'random-0.5b');
  await installPeers(peers);
  await makeRandomModel(source);
  const gguf = join(source, 'model-q4_0.gguf');
  await makeGguf(source, gguf);
  await copyTokenizer(source);
  const built = async (weightType: BuiltWeightType) => {
    const env = { HEFIX_CACHE: join(peers, 'cache') };
    const { folder } = await builtFolder({ kind: 'folder', path: source }, weightType, { env });
    return { folder, file: join(folder, 'onnx', onnxFileName(weightType)) };
  };
  const own = hefixTypes.map(async weightType => {
    const { folder, file } = await built(weightType);
    return {
      name: `hefix ${weightType}`,
      program: 'hefix.mjs',
      options: { lib: packageFile('dist/lib'), folder, weightType, threads, lookup: true },
      bytesPerToken: statSync(`${file}_data`).size - unreadBytes(weightType),
    };
  });
  const shared = await wholeCacheModel(source, join(peers, 'whole-cache'));
  const llama = [false, true].map(lookup => ({
    name: `node-llama-cpp Q4_0${lookup ? ' with lookup' : ''}`,
    program: 'node-llama-cpp.mjs',
    options: { peers, model: gguf, threads, lookup },
    bytesPerToken: statSync(gguf).size,
  }));
  return [
    ...(await Promise.all(own)),
    {
      name: 'transformers.js q4',
      program: 'transformers-js.mjs',
      options: { peers, folder: dirname(shared.folder), name: basename(shared.folder), dtype: 'q4', threads },
      bytesPerToken: statSync(`${shared.file}_data`).size - unreadBytes('q4'),
    },
    ...llama,
    ...torch(source, threads),
  ];
}

/** The weights of hefix q4 in a graph with the inputs and outputs that transformers.js expects. Written once. */
async function wholeCacheModel(source: string, folder: string): Promise<{ folder: string; file: string }> {
  const target = join(folder, 'onnx');
  const file = join(target, onnxFileName('q4'));
  await mkdir(target, { recursive: true });
  for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    await copyFile(join(source, name), join(folder, name));
  }
  if (!existsSync(file)) await buildModel({ source, target, weightType: 'q4', cache: 'whole cache' });
  return { folder, file };
}

/** The random model uses Qwen2.5's tokenizer. */
async function copyTokenizer(folder: string): Promise<void> {
  const [tokenizer, config] = tokenizerFiles() ?? [];
  if (tokenizer === undefined || config === undefined || existsSync(join(folder, 'tokenizer.json'))) return;
  await writeFile(join(folder, 'tokenizer.json'), gunzipSync(await readFile(tokenizer)));
  await copyFile(config, join(folder, 'tokenizer_config.json'));
}

/** In float32, the default of these tools; slow, so one repair is enough. */
function torch(folder: string, threads: number): Contestant[] {
  const python = pythonWithTorch();
  if (typeof python === 'string') {
    console.log(`Without torch: ${python}.`);
    return [];
  }
  return [false, true].map(lookup => ({
    name: `${python.versions}${lookup ? ' with lookup' : ''}`,
    program: 'torch-transformers.py',
    command: python.command,
    options: { folder, threads, lookup },
    bytesPerToken: 2 * statSync(join(folder, 'model.safetensors')).size,
    mostRepairs: 1,
  }));
}

/**
 * Excludes the rotary tables, since a token reads only a row, and the embedding if the output layer has its own
 * copy.
 */
function unreadBytes(weightType: BuiltWeightType): number {
  const { context, headSize, vocabulary, hidden } = shape;
  const tables = 2 * context * (headSize / 2) * 4;
  return weightType === 'w8a8' ? tables + vocabulary * hidden * (1 + 4 / 128) : tables;
}
