import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { packageFile } from '../../../lib/files/package.ts';
import { buildModel } from '../../../lib/model/build/build-model.ts';
import { builtFolder } from '../../../lib/model/hub/built-folder.ts';
import type { WeightSource } from '../../../lib/model/hub/weight-source.ts';
import { onnxFileName } from '../../../lib/model/onnx/session.ts';
import type { EngineOptions } from '../model/engine.ts';
import { installPeers, pythonWithTorch } from '../model/peers.ts';
import { writeConvertedGguf } from '../weights/converted-gguf.ts';

interface Weights {
  /** With config.json and safetensors. */
  readonly folder: string;
  readonly source: WeightSource;
  /** hefix's cache. */
  readonly env: NodeJS.ProcessEnv;
  /** For files of other engines. */
  readonly scratch: string;
  readonly threads: number;
}

/** All engines that can run; says of each that cannot what is missing. */
export async function textEngines(weights: Weights): Promise<EngineOptions[]> {
  const peers = process.env.HEFIX_BENCH_PEERS ?? packageFile('.peers');
  const missing = await installPeers(peers).then(
    () => null,
    error =>
      `transformers.js and node-llama-cpp could not be installed into ${peers} (${error.shortMessage})`,
  );
  if (missing !== null) console.log(`Not measured: ${missing}.`);
  return [
    ...(await hefix(weights)),
    ...(missing === null ? await transformersJs(weights, peers) : []),
    ...(missing === null ? await llama(weights, peers) : []),
    ...torch(weights),
  ];
}

const WITH_LOOKUP = ', drafts';

async function hefix({ source, env, threads }: Weights): Promise<EngineOptions[]> {
  const types = ['fp32', 'q8', 'w8a8', 'q4'] as const;
  const folders: string[] = [];
  for (const type of types) folders.push((await builtFolder(source, type, { env })).folder);
  return types.flatMap((weightType, index) =>
    [true, false].map(lookup => ({
      name: `hefix ${weightType}${lookup ? WITH_LOOKUP : ''}`,
      program: 'hefix.mjs',
      options: { lib: packageFile('dist/lib'), folder: folders[index], weightType, threads, lookup },
    })),
  );
}

/** Graphs with the inputs and outputs of exports, built once. */
async function transformersJs(
  { source, env, scratch, threads }: Weights,
  peers: string,
): Promise<EngineOptions[]> {
  const folder = join(scratch, 'whole-cache');
  const target = join(folder, 'onnx');
  await mkdir(target, { recursive: true });
  const { folder: texts } = await builtFolder(source, 'fp32', { env });
  for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    await copyFile(join(texts, name), join(folder, name));
  }
  const engines: EngineOptions[] = [];
  for (const dtype of ['fp32', 'q8', 'q4'] as const) {
    if (!existsSync(join(target, onnxFileName(dtype)))) {
      const from = source.kind === 'gguf' ? { source: texts, gguf: source.path } : { source: source.path };
      await buildModel({ ...from, target, weightType: dtype, cache: 'whole cache' });
    }
    engines.push({
      name: `transformers.js ${dtype}`,
      program: 'transformers-js.mjs',
      options: { peers, folder: dirname(folder), name: basename(folder), dtype, threads },
    });
  }
  return engines;
}

async function llama({ source, scratch, threads }: Weights, peers: string): Promise<EngineOptions[]> {
  if (source.kind !== 'gguf') {
    console.log('Not measured: node-llama-cpp, since there is no GGUF file.');
    return [];
  }
  const files: [name: string, path: string][] = [['file as it is', source.path]];
  for (const type of ['F32', 'Q8_0'] as const) {
    const path = join(scratch, `${type}.gguf`);
    if (!existsSync(path)) await writeConvertedGguf(source.path, path, type);
    files.push([type, path]);
  }
  return files.flatMap(([type, model]) =>
    [true, false].map(lookup => ({
      name: `node-llama-cpp ${type}${lookup ? WITH_LOOKUP : ''}`,
      program: 'node-llama-cpp.mjs',
      options: { peers, model, threads, lookup },
    })),
  );
}

function torch({ folder, threads }: Weights): EngineOptions[] {
  const python = pythonWithTorch();
  if (typeof python === 'string') {
    console.log(`Not measured: ${python}.`);
    return [];
  }
  console.log(python.versions);
  return ['float32', 'bfloat16'].flatMap(dtype =>
    [true, false].map(lookup => ({
      name: `torch ${dtype}${lookup ? WITH_LOOKUP : ''}`,
      program: 'torch-transformers.py',
      command: python.command,
      options: { folder, threads, lookup, dtype },
    })),
  );
}
