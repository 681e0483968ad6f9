import type { RecordFacts } from '../core/record-facts.ts';
import { type ChosenWith, chosenWithIn } from './first-candidate.ts';
import { comparePairs, type PairedComparison, pairsOf } from './paired.ts';
import { type RobustSummary, robustSummary } from './robust.ts';
import { isChosenByTests } from './search-use.ts';
import { type TaskRuns, taskRunsOf } from './task-runs.ts';

/** Two results files compared on the tasks that both judged. */
export interface Comparison {
  /** Tasks that only one of them judged, which are left out of everything else. */
  readonly only_in_a: readonly string[];
  readonly only_in_b: readonly string[];
  /**
   * Compares the first candidates; null unless both runs had test feedback, since otherwise there is only one
   * candidate.
   */
  readonly draft: PairedComparison | null;
  /** What the first candidates were chosen with. */
  readonly chosen_with: { readonly a: ChosenWith; readonly b: ChosenWith };
  /** Compares the results within all iterations. */
  readonly whole: PairedComparison;
  /** The solutions of tasks that both judged, compared with the references on generated inputs; null if none was. */
  readonly robust: { readonly a: RobustSummary | null; readonly b: RobustSummary | null };
  /** Whether `whole` used test feedback, so that it is not pass@1. */
  readonly with_test_feedback: { readonly a: boolean; readonly b: boolean };
}

export function compareRecords(a: readonly RecordFacts[], b: readonly RecordFacts[]): Comparison {
  const [runsA, runsB] = [taskRunsOf(a), taskRunsOf(b)];
  const hadTests = [a, b].every(records =>
    records.some(record => record.feedback === 'tests' && !isChosenByTests(record)),
  );
  return {
    only_in_a: missingIn(runsB, runsA),
    only_in_b: missingIn(runsA, runsB),
    draft: hadTests ? comparePairs(pairsOf(runsA, runsB, 0)) : null,
    chosen_with: { a: chosenWithIn(a), b: chosenWithIn(b) },
    whole: comparePairs(pairsOf(runsA, runsB, Number.POSITIVE_INFINITY)),
    robust: { a: robustSummary(inBoth(a, runsB)), b: robustSummary(inBoth(b, runsA)) },
    with_test_feedback: { a: isAided(a), b: isAided(b) },
  };
}

function inBoth(records: readonly RecordFacts[], others: readonly TaskRuns[]): RecordFacts[] {
  const known = new Set(others.map(({ taskId }) => taskId));
  return records.filter(({ task_id }) => known.has(task_id));
}

function isAided(records: readonly RecordFacts[]): boolean {
  return records.some(record => isChosenByTests(record) || (record.feedback === 'tests' && record.iters > 0));
}

function missingIn(some: readonly TaskRuns[], others: readonly TaskRuns[]): string[] {
  const known = new Set(some.map(({ taskId }) => taskId));
  return others.map(({ taskId }) => taskId).filter(id => !known.has(id));
}
