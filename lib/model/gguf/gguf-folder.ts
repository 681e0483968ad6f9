import { join } from 'node:path';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { openRegular } from '../../files/untrusted-file.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import type { Checkpoint } from '../build/checkpoint/checkpoint.ts';
import { readRows } from '../build/checkpoint/read-rows.ts';
import { modelFileInvalid } from '../errors.ts';
import { type GgufConfig, ggufConfig, LONG_DIVISORS, ROPE_DIVISORS, SHORT_DIVISORS } from './gguf-config.ts';
import { ggufTexts } from './gguf-tokenizer.ts';
import { type GgufFile, type GgufTensor, readGguf } from './read-gguf.ts';

/**
 * Writes config.json, tokenizer.json and the other files about text that a model folder has, from the metadata of a
 * GGUF file. Throws the errors of readGguf, ggufConfig and ggufTexts.
 */
export async function writeGgufTexts(path: string, folder: string): Promise<void> {
  const gguf = await readGguf(path);
  const { config } = ggufConfig(gguf);
  const texts = ggufTexts(gguf);
  const divisors = await ropeDivisors(gguf, ROPE_DIVISORS);
  const short = await ropeDivisors(gguf, SHORT_DIVISORS);
  const rope = {
    ...Object(config.rope_parameters),
    ...(divisors && { divisors }),
    ...(short && { short_factor: short }),
  };
  const files = { ...texts, 'config.json': { ...config, rope_parameters: rope } };
  await ensureDirectory(folder);
  for (const [name, content] of Object.entries(files)) {
    await writeFileAtomic(join(folder, name), `${JSON.stringify(content)}\n`);
  }
}

/** Null if there are none. */
async function ropeDivisors({ path, tensors }: GgufFile, name: string): Promise<number[] | null> {
  const tensor = tensors.get(name);
  if (tensor === undefined) return null;
  if (tensor.shape.length !== 1) throw modelFileInvalid(path, `${name} has the shape [${tensor.shape}]`);
  const file = await openRegular(path);
  try {
    const divisors: number[] = [];
    for await (const piece of readRows({ ...tensor, file, path }, tensor.reader)) divisors.push(...piece);
    return divisors;
  } finally {
    await file.close();
  }
}

/** Opens a GGUF file's weights. Throws the errors of readGguf and ggufConfig. */
export async function openGgufCheckpoint(path: string): Promise<Checkpoint> {
  const gguf = await readGguf(path);
  const ggufSettings = ggufConfig(gguf);
  const named = [...gguf.tensors.values()].filter(({ name }) => !DIVISORS.includes(name));
  const tensors = new Map(named.map(tensor => [nameInTransformers(tensor.name, ggufSettings), tensor]));
  const file = await openRegular(path);
  return {
    names: new Set(tensors.keys()),
    totalWeights: named.reduce((sum, { shape }) => sum + shape.reduce((size, dim) => size * dim, 1), 0),
    shape(name) {
      const tensor = tensors.get(name);
      return tensor === undefined ? null : shapeInTransformers(tensor);
    },
    async *rows(name) {
      const tensor = tensors.get(name);
      if (tensor === undefined) throw modelFileInvalid(path, `it has no tensor ${name}`);
      yield* rowsInTransformers({ ...tensor, file, path }, tensor, ggufSettings);
    },
    close: () => file.close(),
  };
}

/** Of rope, which config.json contains. */
const DIVISORS: readonly string[] = [ROPE_DIVISORS, SHORT_DIVISORS, LONG_DIVISORS];

/** A name that hefix does not know stays as it is, so that the builder refuses it. */
function nameInTransformers(name: string, { tensors, layerTensors }: GgufConfig): string {
  const [, before = '', part = '', kind] = /^(blk\.\d+\.)?([\w.]+)\.(weight|bias)$/.exec(name) ?? [];
  const names = before === '' ? tensors : layerTensors;
  if (!Object.hasOwn(names, part)) return name;
  return `${before.replace('blk', 'model.layers')}${names[part]}.${kind}`;
}

/** transformers stores filters as of a convolution of one channel: [channels, 1, width] */
function shapeInTransformers({ name, shape }: GgufTensor): readonly number[] {
  const [channels = 0, width = 0] = shape;
  return name.endsWith('.shortconv.conv.weight') ? [channels, 1, width] : shape;
}

/** Rows in the order of transformers, and without what llama.cpp's converter adds. */
async function* rowsInTransformers(
  stored: Parameters<typeof readRows>[0],
  tensor: GgufTensor,
  config: GgufConfig,
): AsyncGenerator<Float32Array> {
  const { name, shape, reader } = tensor;
  if (isInterleaved(tensor, config)) {
    const { headSize } = config;
    // A vector has one row.
    const pieces = shape.length === 1 ? readRows(stored, reader) : readRows(stored, reader, headSize);
    for await (const piece of pieces) yield halvesApart(piece, shape[1] ?? 1, headSize);
    return;
  }
  const shift = name.endsWith('norm.weight') ? config.normShift : 0;
  for await (const piece of readRows(stored, reader)) {
    if (shift !== 0) for (let i = 0; i < piece.length; i++) piece[i] = piece[i]! - shift;
    yield piece;
  }
}

/** llama.cpp rotates neighbouring rows of a head of Llama, transformers rows that are half a head apart. */
function isInterleaved({ name }: GgufTensor, { isInterleaved }: GgufConfig): boolean {
  return isInterleaved && /^blk\.\d+\.attn_[qk]\.(weight|bias)$/.test(name);
}

/** Rows 0, 2, 4, … of each head, then rows 1, 3, 5, …; piece: [heads · head size, columns] */
function halvesApart(piece: Float32Array, columns: number, headSize: number): Float32Array {
  const moved = new Float32Array(piece.length);
  const rows = piece.length / columns;
  for (let row = 0; row < rows; row++) {
    const inHead = row % headSize;
    const to = row - inHead + (inHead % 2) * (headSize / 2) + (inHead >> 1);
    moved.set(piece.subarray(row * columns, (row + 1) * columns), to * columns);
  }
  return moved;
}
