import { comparePairs, pairsOf } from '../../../report/paired.ts';
import type { TaskRuns } from '../../../report/task-runs.ts';
import type { PairedCounts } from './task-page.ts';

/** Null if the runs have no task in common. */
export function pairedCounts(a: readonly TaskRuns[], b: readonly TaskRuns[]): PairedCounts | null {
  const pairs = pairsOf(a, b, Number.POSITIVE_INFINITY);
  if (pairs.length === 0) return null;
  const { a_only, b_only, mcnemar_p, tasks } = comparePairs(pairs);
  const isRepeated = pairs.some(({ runs }) => Math.max(...runs) > 1);
  return { tasks, aOnly: a_only.length, bOnly: b_only.length, p: mcnemar_p, isRepeated };
}
