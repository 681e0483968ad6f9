import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BuiltWeightType, buildModel } from '../../../lib/model/build/build-model.ts';
import { openCheckpoint } from '../../../lib/model/build/checkpoint/checkpoint.ts';
import { type BlockFormat, quantizeRows } from '../../../lib/model/build/codecs/quantize-blocks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { dequantizeRows } from './dequantize.ts';
import { architectures, type Golden, golden } from './golden.ts';
import { runGraph } from './run-graph.ts';
import { safetensors } from './safetensors.ts';

/**
 * Tolerances apply to the root mean square of the logits' difference, relative to that of the logits. The
 * models are small and random, which magnifies rounding about tenfold compared to trained ones.
 */
describe.each(architectures)('%s', name => {
  test.each([
    ['q8', 0.1],
    ['w8a8', 0.11],
  ] as const)('logits in %s are close to those of transformers', async (weightType, tolerance) => {
    const expected = golden(name);
    const logits = await allLogits(expected.folder, expected, weightType);
    expect(relativeDifference(expected.logits, logits)).toBeLessThan(tolerance);
  });

  test.each([
    ['q4', { bits: 4, blockSize: 32 }, 0.1],
    ['q4-128', { bits: 4, blockSize: 128 }, 0.1],
    ['q8', { bits: 8, blockSize: 128 }, 0.1],
  ] as const)('a graph in %s computes with the rounded weights', async (weightType, format, tolerance) => {
    const input = golden(name);
    const rounded = await roundedModel(input.folder, format);
    const expected = await allLogits(rounded, input, 'fp32');
    const logits = await allLogits(input.folder, input, weightType);
    expect(relativeDifference(expected, logits)).toBeLessThan(tolerance);
  });
});

test('a token in w8a8 does not depend on the others in its pass', async () => {
  const { folder, prompt } = golden('qwen2');
  const file = await buildModel({ source: folder, target: await temporaryFolder(), weightType: 'w8a8' });
  const [together, alone] = [await runGraph(file), await runGraph(file)];
  const { logits: rows } = await together.pass(prompt, prompt.length);
  for (const [index, id] of prompt.entries()) {
    const { logits } = await alone.pass([id]);
    expect(relativeDifference(logits, [rows[index] ?? new Float32Array()])).toBeLessThan(1e-3);
  }
  await together.release();
  await alone.release();
});

/** The logits that each token of the golden file was chosen from. */
async function allLogits(source: string, { prompt, tokens }: Golden, weightType: BuiltWeightType) {
  const run = await runGraph(await buildModel({ source, target: await temporaryFolder(), weightType }));
  const { logits } = await run.pass([...prompt, ...tokens.slice(0, -1)], tokens.length);
  await run.release();
  return logits.map(row => row.slice());
}

/** A copy of the model with rounded weights. */
async function roundedModel(source: string, format: BlockFormat): Promise<string> {
  const folder = await temporaryFolder();
  cpSync(source, folder, { recursive: true });
  const checkpoint = await openCheckpoint(source);
  const tensors: Record<string, { shape: readonly number[]; data: Float32Array }> = {};
  for (const name of checkpoint.names) {
    const shape = checkpoint.shape(name) ?? [];
    const pieces: number[] = [];
    for await (const piece of checkpoint.rows(name)) pieces.push(...piece);
    const data = Float32Array.from(pieces);
    const [, columns] = shape;
    const rounded =
      columns === undefined ? data : dequantizeRows(quantizeRows(data, columns, format), columns, format);
    tensors[name] = { shape, data: rounded };
  }
  await checkpoint.close();
  rmSync(join(folder, 'model.safetensors.index.json'), { force: true });
  writeFileSync(join(folder, 'model.safetensors'), safetensors(tensors));
  return folder;
}

function relativeDifference(expected: readonly Float32Array[], found: readonly Float32Array[]): number {
  let difference = 0;
  let size = 0;
  for (const [row, values] of expected.entries()) {
    for (const [i, value] of values.entries()) {
      difference += (value - (found[row]?.[i] ?? Number.NaN)) ** 2;
      size += value ** 2;
    }
  }
  return Math.sqrt(difference / size);
}
