import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { readRows } from '../build/checkpoint/read-rows.ts';
import { modelFileInvalid } from '../errors.ts';
import { ggufConfig, ROPE_DIVISORS, SHORT_DIVISORS } from './gguf-config.ts';
import { ggufTexts } from './gguf-tokenizer.ts';
import { type GgufFile, readGguf } from './read-gguf.ts';

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
  const file = await open(path, 'r');
  try {
    const divisors: number[] = [];
    for await (const piece of readRows({ ...tensor, file, path }, tensor.reader)) divisors.push(...piece);
    return divisors;
  } finally {
    await file.close();
  }
}
