import { expect, test } from 'vitest';
import { poolSizeFor } from '../../lib/run/open-parts.ts';

test.each([
  [1, 1, 2],
  [1, 16, 2],
  [4, 16, 5],
  [100, 16, 32],
  [100, 1, 2],
])('%i workers on %i cores keep %i pairs of interpreters warm', (workers, cores, pairs) => {
  expect(poolSizeFor(workers, cores)).toBe(pairs);
});
