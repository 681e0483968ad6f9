import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { buildModel } from '../../lib/model/build/build-model.ts';
import type { CacheOutput } from '../../lib/model/build/decoder.ts';
import { configSchema } from '../../lib/model/model-files.ts';
import { openModelFolder } from '../../lib/model/model-folder.ts';
import { type Decoder, type DecoderOptions, openDecoder } from '../../lib/model/onnx/decoder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { golden } from './build/golden.ts';
import { readGolden, referenceFolder } from './reference-model.ts';

/**
 * A graph of each kind: growing caches, in float and half precision, caches that are written in place, caches to
 * which new rows are appended, also with sliding windows and short convolutions, and the first three rewritten so that
 * they return new rows.
 */
export const testGraphs = [
  'growing caches',
  'growing half-precision caches',
  'caches in place',
  'appended caches',
  'appended caches with sliding windows',
  'appended caches with short convolutions',
  'growing caches, rewritten',
  'growing half-precision caches, rewritten',
  'caches in place, rewritten',
] as const;

export async function openTestDecoder(
  kind: (typeof testGraphs)[number],
): Promise<{ decoder: Decoder; prompt: readonly number[]; vocabulary: number }> {
  const options = {
    ...cpu,
    graphs: kind.endsWith('rewritten') ? await temporaryFolder() : null,
  };
  const opened = kind.startsWith('growing')
    ? await openReference(kind.includes('half'), options)
    : await openBuilt(kind.startsWith('appended') ? 'new rows' : 'whole cache', options, models[kind]);
  onTestFinished(() => opened.decoder.release());
  return opened;
}

const models: Partial<Record<(typeof testGraphs)[number], 'gemma3' | 'lfm2-odd'>> = {
  'appended caches with sliding windows': 'gemma3',
  'appended caches with short convolutions': 'lfm2-odd',
};

const cpu = { threads: 1, device: 'cpu' } as const;

async function openReference(halfPrecision: boolean, options: DecoderOptions) {
  const { config, onnxFile } = await openModelFolder(referenceFolder);
  const half = join(referenceFolder, 'onnx', 'model_fp16cache.onnx');
  const decoder = await openDecoder(halfPrecision ? half : onnxFile, config, options);
  return { decoder, prompt: (await readGolden()).prompt, vocabulary: config.vocab_size };
}

async function openBuilt(
  cache: CacheOutput,
  options: DecoderOptions,
  name: Parameters<typeof golden>[0] = 'qwen2',
) {
  const { folder, prompt } = golden(name);
  const config = configSchema.parse(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')));
  const target = await temporaryFolder();
  const file = await buildModel({ source: folder, target, weightType: 'fp32', cache });
  return {
    decoder: await openDecoder(file, config, options),
    prompt,
    vocabulary: config.vocab_size,
  };
}

export function logSoftmax(logits: Float32Array): number[] {
  const highest = logits.reduce((max, logit) => Math.max(max, logit));
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - highest), 0);
  return Array.from(logits, logit => logit - highest - Math.log(sum));
}
