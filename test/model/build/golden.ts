import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageFile } from '../../../lib/files/package.ts';

/** A small random model and transformers' results for it. */
export interface Golden {
  readonly folder: string;
  readonly prompt: readonly number[];
  /** The greedy tokens after the prompt. */
  readonly tokens: readonly number[];
  /** For each token, the logits that it was chosen from: [vocabulary] */
  readonly logits: readonly Float32Array[];
}

export const architectures = [
  'qwen2',
  'qwen2-yarn',
  'qwen3',
  'llama',
  'llama-3',
  'llama-linear',
  'qwen3-window',
  'mistral',
  'gemma3',
  'smollm3',
  'granite',
  'granite-4',
  'olmo2',
  'olmo3',
  'phi3',
  'phi3-long',
  'starcoder2',
  'lfm2',
  'lfm2-odd',
] as const;

export function golden(name: (typeof architectures)[number]): Golden {
  const folder = packageFile(join('fixtures/architectures', name));
  const { prompt, tokens } = goldenSchema.parse(
    JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8')),
  );
  const bytes = readFileSync(join(folder, 'golden-logits.f32'));
  const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const vocabulary = floats.length / tokens.length;
  const logits = tokens.map((_, row) => floats.subarray(row * vocabulary, (row + 1) * vocabulary));
  return { folder, prompt, tokens, logits };
}

const goldenSchema = z.object({ prompt: z.array(z.number()), tokens: z.array(z.number()) });
