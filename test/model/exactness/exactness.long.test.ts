import { expect, test } from 'vitest';
import { DIVERGENCE_LIMIT } from '../../../lib/core/measurements.ts';
import { bundledWeights } from '../../bench/exactness/bundled-weights.ts';
import { insertOutliers } from '../../bench/exactness/insert-outliers.ts';
import { measureVariant, variants } from '../../bench/exactness/measure-variant.ts';
import { measuredText } from '../../bench/exactness/measured-text.ts';

/** Limits for each weight type: KL to fp32 in nats, and the share of the same next tokens. */
const limits = [
  ['w8a8', DIVERGENCE_LIMIT, 0.95],
  ['q8', DIVERGENCE_LIMIT, 0.95],
  ['q4', 0.1, 0.8],
] as const;

/** Each hidden size with other outliers and another seed; `npm run bench:exactness` measures all of them. */
test.each([
  [256, 2, 'rare, 100'],
  [512, 3, 'all four, 100'],
] as const)('hidden size %i, seed %i: %s', { timeout: 600_000 }, async (width, seed, name) => {
  const variant = variants.find(each => each.name === name);
  if (!variant) throw new Error(`the variant ${name} is missing`);
  const model = insertOutliers(bundledWeights(seed, width), variant.places, variant.factor, seed);
  const types = limits.map(([weightType]) => weightType);
  const measured = await measureVariant(model, types, measuredText(2, 500));
  for (const [index, [, divergence, sameToken]] of limits.entries()) {
    expect(measured[index]?.built.divergence).toBeLessThan(divergence);
    expect(measured[index]?.built.sameToken).toBeGreaterThan(sameToken);
  }
});
