import { expect, test } from 'vitest';
import { DIVERGENCE_LIMIT } from '../../../lib/core/measurements.ts';
import { bundledWeights } from '../../bench/exactness/bundled-weights.ts';
import { insertOutliers } from '../../bench/exactness/insert-outliers.ts';
import { measureVariant } from '../../bench/exactness/measure-variant.ts';
import { measuredText } from '../../bench/exactness/measured-text.ts';

test('w8a8 follows fp32 where activations have outliers', async () => {
  const model = insertOutliers(bundledWeights(1), ['inner', 'values', 'norms', 'rare'], 100, 1);
  const [measured] = await measureVariant(model, ['w8a8'], measuredText(1, 400));
  // Without preparation, these weights are useless: the limits below can fail.
  expect(measured?.plain.divergence).toBeGreaterThan(0.3);
  expect(measured?.built.divergence).toBeLessThan(DIVERGENCE_LIMIT);
  expect(measured?.built.sameToken).toBeGreaterThan(0.95);
  expect(measured?.reported?.positions).toBeGreaterThan(200);
  expect(measured?.reported?.divergence).toBeLessThan(DIVERGENCE_LIMIT);
});
