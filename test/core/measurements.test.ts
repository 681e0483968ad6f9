import { expect, test } from 'vitest';
import { batchingText } from '../../lib/core/measurements.ts';

const measured = { weightType: 'w8a8', processor: 'any', threads: 2, speedUp: 2.14, identical: true };

test('says whether passes are batched, and how fast that was', () => {
  expect(batchingText(measured)).toBe(
    'w8a8: passes of several tasks are batched, 2.1 times as fast with 2 threads',
  );
  expect(batchingText({ ...measured, speedUp: 0.9, threads: 1 })).toBe(
    'w8a8: passes of several tasks are not batched, 0.9 times as fast with 1 thread',
  );
  expect(batchingText({ ...measured, identical: false })).toContain('are not batched');
});
