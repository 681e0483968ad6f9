import { join } from 'node:path';
import { z } from 'zod';
import { type Exactness, exactnessSchema } from '../../core/measurements.ts';
import { fileSize } from '../../files/hub/cache-layout.ts';
import { parseJson, readRegularText } from '../../files/untrusted-file.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import type { BuiltWeightType } from '../build/build-model.ts';
import { processorFeatures } from '../onnx/processor-features.ts';
import { onnxFileName } from '../onnx/session.ts';

/** What is known of a graph that was built before. */
export interface BuiltGraph {
  /** Null if it was not measured here. */
  readonly exactness: Exactness | null;
  /** Whether it was measured on a processor with other kernels alone, whose rounding differs. */
  readonly isElsewhere: boolean;
}

/** The path of a graph in a folder in the hub's layout. */
export function builtGraphPath(folder: string, weightType: BuiltWeightType): string {
  return join(folder, 'onnx', onnxFileName(weightType));
}

/** The graph that a folder has in a weight type; null if it has none. */
export async function findBuilt(folder: string, weightType: BuiltWeightType): Promise<BuiltGraph | null> {
  if ((await fileSize(builtGraphPath(folder, weightType))) === null) return null;
  const all = await readExactness(folder, weightType);
  const exactness = all[processorFeatures()];
  // One that was never measured cannot be.
  return {
    exactness: exactness ?? null,
    isElsewhere: exactness === undefined && Object.keys(all).length > 0,
  };
}

export async function writeExactness(folder: string, exactness: Exactness): Promise<void> {
  const { weightType } = exactness;
  const all = { ...(await readExactness(folder, weightType)), [processorFeatures()]: exactness };
  await writeFileAtomic(exactnessFile(folder, weightType), `${JSON.stringify(all, null, 2)}\n`);
}

/** By the features of the processor that it was measured on. */
export async function readExactness(
  folder: string,
  weightType: Exactness['weightType'],
): Promise<Readonly<Record<string, Exactness>>> {
  const text = await readRegularText(exactnessFile(folder, weightType), 2 ** 20).catch(() => '');
  return z.record(z.string(), exactnessSchema).safeParse(parseJson(text)).data ?? {};
}

/** Next to the graph. */
function exactnessFile(folder: string, weightType: BuiltWeightType): string {
  return builtGraphPath(folder, weightType).replace(/\.onnx$/, '.exactness.json');
}
