import { expect, test } from 'vitest';
import { longRun } from '../support/long-run.ts';

test('memory and handles stay flat over hundreds of tasks', { timeout: 1_200_000 }, async () => {
  const held = await longRun(600, 50);
  const most = (from: number, to: number, of: 'heap' | 'resources') =>
    Math.max(...held.filter(({ tasks }) => tasks > from && tasks <= to).map(one => one[of]));
  // A task that left its texts behind would add some 20 KiB, a handle or a listener would add one.
  expect(most(400, 600, 'heap')).toBeLessThan(1.1 * most(100, 300, 'heap'));
  expect(most(400, 600, 'resources')).toBeLessThan(1.1 * most(100, 300, 'resources') + 50);
});
