import { sumOf } from '../core/numbers.ts';
import { meanShare, type Share, Z } from './numbers.ts';
import { countsWithin, type TaskRuns } from './task-runs.ts';

/** Compares two runs on the same tasks, given the share of each task's runs that solved it, in [0, 1]. */
export interface Pair {
  readonly taskId: string;
  readonly a: number;
  readonly b: number;
  /** Number of runs of `a` and `b`. */
  readonly runs: readonly [number, number];
}

export interface PairedComparison {
  readonly tasks: number;
  readonly a: Share | null;
  readonly b: Share | null;
  /** Tasks that `a` solved and `b` did not; with several samples, that `a` solved more often. */
  readonly a_only: readonly string[];
  readonly b_only: readonly string[];
  /** b − a with its 95% interval; null without tasks. */
  readonly difference: Share | null;
  /**
   * Exact two-sided p value: the probability of a split of the discordant tasks at least this uneven if
   * neither run were better.
   */
  readonly mcnemar_p: number;
}

/** The tasks for which both runs have a result within so many iterations. */
export function pairsOf(a: readonly TaskRuns[], b: readonly TaskRuns[], within: number): Pair[] {
  const inB = new Map(b.map(task => [task.taskId, task]));
  return a.flatMap(task => {
    const other = inB.get(task.taskId);
    if (other === undefined) return [];
    const [a, b] = [countsWithin(task, within), countsWithin(other, within)];
    if (a.runs === 0 || b.runs === 0) return [];
    const runs = [a.runs, b.runs] as const;
    return { taskId: task.taskId, a: a.solved / a.runs, b: b.solved / b.runs, runs };
  });
}

export function comparePairs(pairs: readonly Pair[]): PairedComparison {
  const shareOf = (of: 'a' | 'b', index: 0 | 1) =>
    meanShare(
      pairs.map(pair => pair[of]),
      sumOf(pairs, ({ runs }) => runs[index]),
    );
  const better = (one: 'a' | 'b', other: 'a' | 'b') =>
    pairs.filter(pair => pair[one] > pair[other]).map(({ taskId }) => taskId);
  const [aOnly, bOnly] = [better('a', 'b'), better('b', 'a')];
  return {
    tasks: pairs.length,
    a: shareOf('a', 0),
    b: shareOf('b', 1),
    a_only: aOnly,
    b_only: bOnly,
    difference: pairedDifference(pairs.map(({ a, b }) => b - a)),
    mcnemar_p: mcnemar(aOnly.length, bOnly.length),
  };
}

/**
 * The mean of paired differences, each in [−1, 1], with Bonett and Price's interval: one task is added for
 * each side, so that the interval is valid for few tasks and without discordant ones. D. Bonett and R. Price,
 * Adjusted Wald confidence interval for a difference of binomial proportions based on paired data (2012).
 */
export function pairedDifference(differences: readonly number[]): Share | null {
  if (differences.length === 0) return null;
  const value = sumOf(differences, d => d) / differences.length;
  const adjusted = [...differences, 1, -1];
  const middle = sumOf(adjusted, d => d) / adjusted.length;
  const variance = sumOf(adjusted, d => (d - middle) ** 2) / adjusted.length ** 2;
  const half = Z * Math.sqrt(variance);
  return { value, low: Math.max(-1, middle - half), high: Math.min(1, middle + half) };
}

/**
 * The exact test of Q. McNemar (1947), two-sided: under the null hypothesis each discordant task is a fair
 * coin toss. With several samples per task it is the sign test on tasks.
 */
export function mcnemar(aOnly: number, bOnly: number): number {
  const tosses = aOnly + bOnly;
  // In logarithms, since 2 to the power of a few thousand overflows.
  let logTerm = -tosses * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let heads = 1; heads <= Math.min(aOnly, bOnly); heads++) {
    logTerm += Math.log((tosses - heads + 1) / heads);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}
