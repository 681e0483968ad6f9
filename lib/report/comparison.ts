import type { RunRecord } from '../core/record.ts';
import { comparePairs, type Pair, type PairedComparison } from './paired.ts';
import { isChosenByTests } from './search-use.ts';
import { type TaskRuns, taskRunsOf } from './task-runs.ts';

/** Two results files on the tasks that both judged. */
export interface Comparison {
  /** Judged in one of them alone, and left out of everything else. */
  readonly only_in_a: readonly string[];
  readonly only_in_b: readonly string[];
  /** By the drafts alone; null unless both repaired them with what the tests said, for else there is but one answer. */
  readonly draft: PairedComparison | null;
  /** By all that the budgets allowed. */
  readonly whole: PairedComparison;
  /** Whether what the tests that decide said went into `whole`, which is no pass@1 then. */
  readonly with_test_feedback: { readonly a: boolean; readonly b: boolean };
}

export function compareRecords(a: readonly RunRecord[], b: readonly RunRecord[]): Comparison {
  const [runsA, runsB] = [taskRunsOf(a), taskRunsOf(b)];
  const learnt = [a, b].every(records =>
    records.some(record => record.feedback === 'tests' && !isChosenByTests(record)),
  );
  return {
    only_in_a: missingIn(runsB, runsA),
    only_in_b: missingIn(runsA, runsB),
    draft: learnt ? comparePairs(pairsOf(runsA, runsB, 0)) : null,
    whole: comparePairs(pairsOf(runsA, runsB, Number.POSITIVE_INFINITY)),
    with_test_feedback: { a: isAided(a), b: isAided(b) },
  };
}

function isAided(records: readonly RunRecord[]): boolean {
  return records.some(record => isChosenByTests(record) || (record.feedback === 'tests' && record.iters > 0));
}

function missingIn(some: readonly TaskRuns[], others: readonly TaskRuns[]): string[] {
  const known = new Set(some.map(({ taskId }) => taskId));
  return others.map(({ taskId }) => taskId).filter(id => !known.has(id));
}

function pairsOf(a: readonly TaskRuns[], b: readonly TaskRuns[], within: number): Pair[] {
  const inB = new Map(b.map(runs => [runs.taskId, runs]));
  return a.flatMap(runs => {
    const other = inB.get(runs.taskId);
    if (other === undefined) return [];
    return {
      taskId: runs.taskId,
      a: solvedShare(runs, within),
      b: solvedShare(other, within),
      runs: [runs.solvedIn.length, other.solvedIn.length] as const,
    };
  });
}

function solvedShare({ solvedIn }: TaskRuns, within: number): number {
  return solvedIn.filter(iterations => iterations !== null && iterations <= within).length / solvedIn.length;
}
