import { comparePairs, pairsOf } from '../../../paired.ts';
import type { TaskRuns } from '../../../task-runs.ts';
import type { Filter, Sort, TaskLine } from './tasks.ts';

/** Which tasks of some runs to send, in which order. */
export interface TaskQuery {
  readonly runs: readonly string[];
  readonly filter: Filter;
  readonly sort: Sort;
  /** The number of tasks to send at most. */
  readonly limit: number;
}

/** The first tasks that match a filter. */
export interface TaskPage {
  readonly visible: readonly TaskLine[];
  /** Number of tasks that match, and of all. */
  readonly matching: number;
  readonly total: number;
  /** What the filter may choose from. */
  readonly bugTypes: readonly string[];
  readonly verdicts: readonly string[];
  /** Of the first two runs; null if they have no task in common. */
  readonly paired: PairedCounts | null;
}

export interface PairedCounts {
  readonly tasks: number;
  /** Number of tasks that only one run solved, or solved more often. */
  readonly aOnly: number;
  readonly bOnly: number;
  readonly p: number;
  /** Whether tasks have several samples. */
  readonly isRepeated: boolean;
}

/** Null if the runs have no task in common. */
export function pairedCounts(a: readonly TaskRuns[], b: readonly TaskRuns[]): PairedCounts | null {
  const pairs = pairsOf(a, b, Number.POSITIVE_INFINITY);
  if (pairs.length === 0) return null;
  const { a_only, b_only, mcnemar_p, tasks } = comparePairs(pairs);
  const isRepeated = pairs.some(({ runs }) => Math.max(...runs) > 1);
  return { tasks, aOnly: a_only.length, bOnly: b_only.length, p: mcnemar_p, isRepeated };
}
