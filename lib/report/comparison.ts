import type { RecordFacts } from '../core/record-facts.ts';
import { printable } from '../core/text.ts';
import { namedLines, percentWithin, plural } from './numbers.ts';
import { comparePairs, type PairedComparison, pairsOf } from './paired.ts';
import { type RobustSummary, robustSummary } from './robust.ts';
import { type ChosenWith, chosenWithIn, firstCandidateName, type TaskRuns, taskRunsOf } from './task-runs.ts';
import { isChosenByTests } from './usage.ts';

/** A comparison as a small text table; each line ends in a line feed. */
export function comparisonText(comparison: Comparison): string {
  const { draft, whole, only_in_a, only_in_b } = comparison;
  const rows: [string, string][] = [
    ...(draft === null ? [] : paired(firstName(comparison.chosen_with), draft)),
    ...paired(wholeName(comparison), whole),
    ['behave like the reference', robust(comparison)],
    ['only A solved', list(whole.a_only)],
    ['only B solved', list(whole.b_only)],
    ['judged only in A', list(only_in_a)],
    ['judged only in B', list(only_in_b)],
  ];
  return namedLines(rows);
}

function robust({ robust: { a, b } }: Comparison): string {
  if (a === null && b === null) return '';
  const share = (of: typeof a) =>
    of === null ? 'not compared' : `${of.alike} of ${of.compared}, ${percentWithin(of)}`;
  return `A ${share(a)}, B ${share(b)}`;
}

function wholeName({ chosen_with, with_test_feedback: { a, b } }: Comparison): string {
  if (a && b) return 'solved, with test feedback';
  if (a || b) return `solved, ${a ? 'A' : 'B'} with test feedback`;
  return chosenName(chosen_with, 'pass@1');
}

function firstName(chosen: Comparison['chosen_with']): string {
  return chosenName(chosen, 'pass@1 (draft)');
}

/** `pass` if neither run consulted anything before its first candidate. */
function chosenName({ a, b }: Comparison['chosen_with'], pass: string): string {
  if (a === b) return a === 'nothing' ? pass : firstCandidateName(a);
  const chosen = (of: string, by: ChosenWith) =>
    by === 'nothing' ? [] : [`${of} tried on ${by === 'tests' ? 'the hidden tests' : 'examples'} before`];
  return `first candidate, ${[...chosen('A', a), ...chosen('B', b)].join(', ')}`;
}

function paired(name: string, { tasks, a, b, difference, a_only, b_only, mcnemar_p }: PairedComparison) {
  if (a === null || b === null || difference === null)
    return [[name, 'no task in both']] as [string, string][];
  const split = `${a_only.length} for A, ${b_only.length} for B, McNemar p ${probability(mcnemar_p)}`;
  return [
    [`${name}, ${plural(tasks, 'task')}`, `A ${percentWithin(a)}, B ${percentWithin(b)}`],
    [
      '  B − A',
      `${signed(difference.value)} (95% interval ${signed(difference.low)} to ${signed(difference.high)})`,
    ],
    ['  tasks apart', split],
  ] as [string, string][];
}

function signed(share: number): string {
  return `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}%`;
}

function probability(p: number): string {
  return p < 0.0001 ? 'below 0.0001' : p.toFixed(4);
}

function list(ids: readonly string[]): string {
  const shown = ids.slice(0, SHOWN).map(printable).join(', ');
  return ids.length > SHOWN ? `${shown} and ${ids.length - SHOWN} more` : shown;
}

const SHOWN = 20;

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
  const taskIds = new Set(others.map(({ taskId }) => taskId));
  return records.filter(({ task_id }) => taskIds.has(task_id));
}

function isAided(records: readonly RecordFacts[]): boolean {
  return records.some(record => isChosenByTests(record) || (record.feedback === 'tests' && record.iters > 0));
}

function missingIn(some: readonly TaskRuns[], others: readonly TaskRuns[]): string[] {
  const taskIds = new Set(some.map(({ taskId }) => taskId));
  return others.map(({ taskId }) => taskId).filter(id => !taskIds.has(id));
}
