import { open } from 'node:fs/promises';
import { readRows } from '../../../lib/model/build/checkpoint/read-rows.ts';
import { type GgufTensor, readGguf } from '../../../lib/model/gguf/read-gguf.ts';
import { float, integer, integers, truth, word, words, writeGguf } from '../../support/write-gguf.ts';

/** Copies a GGUF file with all weights in float32, so that llama.cpp rounds no activations. */
export async function writeFloatGguf(source: string, target: string): Promise<void> {
  const { metadata, tensors } = await readGguf(source);
  const file = await open(source, 'r');
  try {
    async function* contents(tensor: GgufTensor): AsyncGenerator<Uint8Array> {
      for await (const piece of readRows({ ...tensor, file, path: source }, tensor.reader)) {
        yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
      }
    }
    const kept = Object.entries(metadata).filter(([key]) => !HEADER.test(key));
    await writeGguf(
      target,
      Object.fromEntries(kept.map(([key, value]) => [key, encoded(key, value)])),
      [...tensors.values()].map(tensor => ({
        name: tensor.name,
        shape: tensor.shape,
        type: 0,
        bytes: 4 * tensor.shape.reduce((size, dim) => size * dim, 1),
        contents: () => contents(tensor),
      })),
    );
  } finally {
    await file.close();
  }
}

/** What the library adds, and what no longer holds. */
const HEADER = /^(version|tensor_count|kv_count|general\.file_type)$/;

function encoded(key: string, value: unknown): Buffer {
  if (typeof value === 'string') return word(value);
  if (typeof value === 'boolean') return truth(value);
  if (typeof value === 'number') return /epsilon|freq_base/.test(key) ? float(value) : integer(value);
  const values = value as readonly unknown[];
  return typeof values[0] === 'string' ? words(values as string[]) : integers(values as number[]);
}
