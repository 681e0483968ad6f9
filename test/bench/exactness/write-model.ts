import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safetensors } from '../../model/build/safetensors.ts';
import type { FloatModel } from './bundled-weights.ts';

/** Writes config.json and model.safetensors. */
export async function writeModel({ config, tensors }: FloatModel, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  await writeFile(join(folder, 'model.safetensors'), safetensors(tensors));
}
