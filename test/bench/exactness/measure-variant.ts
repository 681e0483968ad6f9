import { copyFileSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exactness } from '../../../lib/core/measurements.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { type BuiltWeightType, buildModel } from '../../../lib/model/build/build-model.ts';
import { buildMeasured } from '../../../lib/model/exactness/build-measured.ts';
import { createComparison } from '../../../lib/model/exactness/measure-exactness.ts';
import { runGraph } from '../../model/build/run-graph.ts';
import type { FloatModel } from './bundled-weights.ts';
import type { OutlierPlace } from './insert-outliers.ts';
import { writeModel } from './write-model.ts';

/** A model with outliers, as insertOutliers makes it. */
export interface Variant {
  readonly name: string;
  readonly places: readonly OutlierPlace[];
  readonly factor: number;
}

const all = ['inner', 'values', 'norms'] as const;

export const variants: readonly Variant[] = [
  { name: 'no outliers', places: [], factor: 1 },
  { name: 'inner, 100', places: ['inner'], factor: 100 },
  { name: 'values, 100', places: ['values'], factor: 100 },
  { name: 'norms, 100', places: ['norms'], factor: 100 },
  { name: 'these three, 30', places: all, factor: 30 },
  { name: 'these three, 100', places: all, factor: 100 },
  { name: 'rare, 100', places: ['rare'], factor: 100 },
  { name: 'all four, 100', places: [...all, 'rare'], factor: 100 },
];

export interface Difference {
  /** Mean KL divergence from fp32, in nats. */
  readonly divergence: number;
  /** Share of positions with the same likeliest token. */
  readonly sameToken: number;
}

export interface MeasuredType {
  readonly weightType: BuiltWeightType;
  /** Rounded without preparation. */
  readonly plain: Difference;
  /** As hefix builds it. */
  readonly built: Difference;
  /** What hefix itself measured on its built-in text. */
  readonly reported: Exactness | null;
}

/** Builds a model in several weight types and compares each with the fp32 graph of the same weights. */
export async function measureVariant(
  model: FloatModel,
  weightTypes: readonly BuiltWeightType[],
  text: readonly (readonly number[])[],
): Promise<MeasuredType[]> {
  const source = await mkdtemp(join(tmpdir(), 'hefix-exactness-'));
  try {
    await writeModel(model, source);
    for (const name of ['tokenizer.json', 'tokenizer_config.json']) {
      copyFileSync(packageFile(join('fixtures/exactness', name)), join(source, name));
    }
    const target = join(source, 'onnx');
    mkdirSync(target);
    const expected = await allLogits(await buildModel({ source, target, weightType: 'fp32' }), text);
    const measured: MeasuredType[] = [];
    for (const weightType of weightTypes) {
      const graph = await buildModel({ source, target, weightType });
      const plain = difference(expected, await allLogits(graph, text));
      const reported = await buildMeasured({ source, target, weightType, name: 'variant' });
      measured.push({
        weightType,
        plain,
        built: difference(expected, await allLogits(graph, text)),
        reported,
      });
    }
    return measured;
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

async function allLogits(graph: string, text: readonly (readonly number[])[]): Promise<Float32Array[]> {
  const rows: Float32Array[] = [];
  for (const ids of text) {
    const run = await runGraph(graph);
    const { logits } = await run.pass(ids, ids.length);
    rows.push(...logits.map(row => row.slice()));
    await run.release();
  }
  return rows;
}

function difference(expected: readonly Float32Array[], found: readonly Float32Array[]): Difference {
  const comparison = createComparison();
  expected.forEach((row, index) => {
    comparison.add(row, found[index] ?? new Float32Array(row.length).fill(Number.NaN));
  });
  return comparison.result();
}
