import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { openRegular, readRegularText } from '../../../files/untrusted-file.ts';
import { modelFileInvalid, modelFileMissing } from '../../errors.ts';
import { MAX_TEXT_BYTES } from '../../model-files.ts';
import { floatReader } from '../codecs/float-codec.ts';
import { readRows } from './read-rows.ts';
import { readSafetensorsHeader, type StoredTensor } from './safetensors-header.ts';

/** A model's saved weights, with the names that transformers gives them. */
export interface Checkpoint {
  readonly names: ReadonlySet<string>;
  /** Number of elements in all tensors. */
  readonly totalWeights: number;
  /** Null if there is no such tensor. */
  shape(name: string): readonly number[] | null;
  /**
   * The tensor as float32, in chunks of whole rows (the last dimension) of about 4 MiB, at least one row.
   * A chunk is valid until the next one is requested.
   */
  rows(name: string): AsyncGenerator<Float32Array>;
  close(): Promise<void>;
}

/**
 * Opens model.safetensors, or the files listed in model.safetensors.index.json. Throws MODEL_FILE_MISSING and
 * MODEL_FILE_INVALID.
 */
export async function openCheckpoint(folder: string): Promise<Checkpoint> {
  const tensors = new Map<string, Located>();
  const files: FileHandle[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(files.map(file => file.close()));
  };
  try {
    for (const { path, names } of await shards(folder)) {
      const file = await openRegular(path).catch(() => {
        throw modelFileMissing(folder, basename(path));
      });
      files.push(file);
      for (const tensor of await readSafetensorsHeader(file, path)) {
        if (names === null || names.has(tensor.name)) tensors.set(tensor.name, { ...tensor, file, path });
      }
      const lost = [...(names ?? [])].find(name => !tensors.has(name));
      if (lost !== undefined)
        throw modelFileInvalid(path, `it has no ${lost}, which the index expects in it`);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    names: new Set(tensors.keys()),
    totalWeights: [...tensors.values()].reduce((sum, { shape }) => sum + product(shape), 0),
    shape: name => tensors.get(name)?.shape ?? null,
    rows(name) {
      const tensor = tensors.get(name);
      if (tensor === undefined) throw modelFileInvalid(folder, `it has no tensor ${name}`);
      const reader = floatReader(tensor.type);
      if (reader === null)
        throw modelFileInvalid(tensor.path, `${name} has the type ${tensor.type}, not BF16, F16 or F32`);
      return readRows(tensor, reader);
    },
    close,
  };
}

interface Located extends StoredTensor {
  readonly file: FileHandle;
  readonly path: string;
}

export function product(shape: readonly number[]): number {
  return shape.reduce((size, dimension) => size * dimension, 1);
}

const SINGLE = 'model.safetensors';
const INDEX = 'model.safetensors.index.json';

/** `names`: the tensors to read from the file; null for all. */
async function shards(folder: string): Promise<{ path: string; names: ReadonlySet<string> | null }[]> {
  if (existsSync(join(folder, SINGLE))) return [{ path: join(folder, SINGLE), names: null }];
  const indexFile = join(folder, INDEX);
  const text = await readRegularText(indexFile, MAX_TEXT_BYTES).catch(() => {
    throw modelFileMissing(folder, SINGLE);
  });
  const index = indexSchema.safeParse(jsonOrNull(text));
  if (!index.success) throw modelFileInvalid(indexFile, 'it is no index of safetensors files');
  const byFile = new Map<string, Set<string>>();
  for (const [name, file] of Object.entries(index.data.weight_map)) {
    byFile.set(file, (byFile.get(file) ?? new Set()).add(name));
  }
  return [...byFile].map(([file, names]) => ({ path: join(folder, file), names }));
}

/** A file in the same folder as the index; paths cannot leave that folder. */
const indexSchema = z.object({
  weight_map: z.record(z.string(), z.string().regex(/^[^/\\]+\.safetensors$/)),
});

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
