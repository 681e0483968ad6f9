import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { fileNotReadable } from '../errors.ts';
import { bundledModel, bundledModelFolder } from './create-model.ts';
import type { Flag } from './flags.ts';
import { flag, text } from './option-checks.ts';

export const modelsOptionsSchema = z.strictObject({
  folder: text('the path of a folder').default('.'),
  json: flag(),
});

export const modelsFlags: Readonly<Record<keyof z.infer<typeof modelsOptionsSchema>, Flag>> = {
  folder: {
    flags: '--folder <path>',
    group: 'Model',
    about: 'where to look for model folders beside the bundled one',
  },
  json: { flags: '--json', group: 'Output', about: 'print one JSON array' },
};

/** A model that `--model` can name. */
export interface LocalModel {
  readonly name: string;
  readonly folder: string;
  /** Of its ONNX graphs and their weights. */
  readonly bytes: number;
}

/** The bundled model and those in the folders right below `folder`: what has a `config.json` and an `onnx` folder. */
export async function listModels(folder: string): Promise<LocalModel[]> {
  const bundled = { name: bundledModel, folder: bundledModelFolder() };
  const found = [bundled, ...(await below(folder))].map(async model => {
    const bytes = await onnxBytes(model.folder);
    return bytes === null ? [] : [{ ...model, bytes }];
  });
  return (await Promise.all(found)).flat();
}

async function below(folder: string): Promise<{ name: string; folder: string }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const folders = entries.filter(entry => entry.isDirectory()).map(entry => join(folder, entry.name));
    return folders.sort().map(path => ({ name: basename(path), folder: path }));
  } catch (cause) {
    throw fileNotReadable('--folder', folder, cause);
  }
}

/** Null if the folder is no model's. */
async function onnxBytes(folder: string): Promise<number | null> {
  try {
    await stat(join(folder, 'config.json'));
    const names = await readdir(join(folder, 'onnx'));
    const sizes = await Promise.all(names.map(async name => (await stat(join(folder, 'onnx', name))).size));
    return names.some(name => name.endsWith('.onnx')) ? sizes.reduce((sum, size) => sum + size, 0) : null;
  } catch {
    return null;
  }
}
