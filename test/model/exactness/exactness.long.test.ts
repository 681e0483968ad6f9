import { describe, expect, test } from 'vitest';
import { DIVERGENCE_LIMIT } from '../../../lib/core/exactness.ts';
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

describe.each([
  [256, 1],
  [256, 2],
  [512, 3],
] as const)('hidden size %i, seed %i', (width, seed) => {
  const base = bundledWeights(seed, width);

  test.each(variants)('$name', async ({ places, factor }) => {
    const model = insertOutliers(base, places, factor, seed);
    const types = limits.map(([weightType]) => weightType);
    const measured = await measureVariant(model, types, measuredText(2, 500));
    for (const [index, [, divergence, sameToken]] of limits.entries()) {
      expect(measured[index]?.built.divergence).toBeLessThan(divergence);
      expect(measured[index]?.built.sameToken).toBeGreaterThan(sameToken);
    }
  });
});
