import { expect, test } from 'vitest';
import { type Held, longRun } from '../support/long-run.ts';

/** What a task that leaves one behind would increase; those of interpreters that are ready come and go. */
const counted = [
  'resources',
  'descriptors',
  'children',
  'listeners',
] as const satisfies readonly (keyof Held)[];

test('memory, handles and listeners stay flat over hundreds of tasks', { timeout: 1_200_000 }, async () => {
  const held = await longRun(600, 50);
  const most = (from: number, to: number, of: keyof Held) =>
    Math.max(...held.filter(({ tasks }) => tasks > from && tasks <= to).map(one => one[of]));
  // A task that left its texts behind would add some 20 KiB.
  expect(most(400, 600, 'heap')).toBeLessThan(1.1 * most(100, 300, 'heap'));
  for (const name of counted) {
    expect(most(400, 600, name), name).toBeLessThan(1.1 * most(100, 300, name) + 50);
  }
});
