import { open } from 'node:fs/promises';
import { readRows } from '../../../lib/model/build/checkpoint/read-rows.ts';
import { type GgufTensor, readGguf } from '../../../lib/model/gguf/read-gguf.ts';
import {
  float,
  halfBits,
  integer,
  integers,
  truth,
  word,
  words,
  writeGguf,
} from '../../support/write-gguf.ts';

/** Copies a GGUF file with its matrices in another type; in F32, llama.cpp rounds no activations. */
export async function writeConvertedGguf(
  source: string,
  target: string,
  type: 'F32' | 'Q8_0',
): Promise<void> {
  const { metadata, tensors } = await readGguf(source);
  const file = await open(source, 'r');
  try {
    async function* contents(tensor: GgufTensor, isRounded: boolean): AsyncGenerator<Uint8Array> {
      for await (const piece of readRows({ ...tensor, file, path: source }, tensor.reader)) {
        yield isRounded ? rounded(piece) : new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
      }
    }
    const kept = Object.entries(metadata).filter(([key]) => !HEADER.test(key));
    await writeGguf(
      target,
      Object.fromEntries(kept.map(([key, value]) => [key, encoded(key, value)])),
      [...tensors.values()].map(tensor => {
        const isRounded = type === 'Q8_0' && tensor.shape.length > 1;
        const count = tensor.shape.reduce((size, dim) => size * dim, 1);
        return {
          name: tensor.name,
          shape: tensor.shape,
          type: isRounded ? 8 : 0,
          bytes: isRounded ? (count / BLOCK) * (BLOCK + 2) : 4 * count,
          contents: () => contents(tensor, isRounded),
        };
      }),
    );
  } finally {
    await file.close();
  }
}

/** What the library adds, and what no longer holds. */
const HEADER = /^(version|tensor_count|kv_count|general\.file_type)$/;
const BLOCK = 32;

/** Q8_0: of each block of 32 numbers a scale in half precision, then the numbers in its steps. */
function rounded(numbers: Float32Array): Uint8Array {
  const bytes = Buffer.alloc((numbers.length / BLOCK) * (BLOCK + 2));
  for (let start = 0, at = 0; start < numbers.length; start += BLOCK, at += BLOCK + 2) {
    const block = numbers.subarray(start, start + BLOCK);
    const scale = block.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127;
    bytes.writeUInt16LE(halfBits(scale), at);
    block.forEach((value, index) => {
      bytes.writeInt8(scale === 0 ? 0 : Math.round(value / scale), at + 2 + index);
    });
  }
  return bytes;
}

function encoded(key: string, value: unknown): Buffer {
  if (typeof value === 'string') return word(value);
  if (typeof value === 'boolean') return truth(value);
  if (typeof value === 'number') return /epsilon|freq_base/.test(key) ? float(value) : integer(value);
  const values = value as readonly unknown[];
  return typeof values[0] === 'string' ? words(values as string[]) : integers(values as number[]);
}
