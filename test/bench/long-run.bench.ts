import { test } from 'vitest';
import { longRun } from '../support/long-run.ts';

/**
 * Memory, handles, descriptors, processes and listeners over a long run with eight workers. HEFIX_BENCH_TASKS: number of
 * tasks (10,000).
 */
test('a long run', { timeout: 24 * 3_600_000 }, async () => {
  const count = Number(process.env.HEFIX_BENCH_TASKS ?? 10_000);
  console.table(await longRun(count, Math.ceil(count / 20)));
});
