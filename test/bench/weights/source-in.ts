import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WeightSource } from '../../../lib/model/hub/weight-source.ts';

/** The weights that hefix builds from: a folder's GGUF file if it has one, otherwise its safetensors. */
export function sourceIn(folder: string): WeightSource {
  const gguf = readdirSync(folder).find(name => name.endsWith('.gguf'));
  return gguf === undefined
    ? { kind: 'folder', path: folder }
    : { kind: 'gguf', path: join(folder, gguf), name: gguf };
}
