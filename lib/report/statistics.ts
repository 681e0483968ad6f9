import { sumOf } from '../core/numbers.ts';
import { countsWithin, type TaskRuns } from './task-runs.ts';

/** The share of tasks that at least one of k runs solves. */
export interface PassAtK extends Share {
  readonly k: number;
  /** Number of tasks with at least k judged runs. */
  readonly tasks: number;
}

/**
 * Estimates pass@k without bias from `runs` runs, `solved` of them successful: the probability that at least
 * one of k of them drawn at random solves the task, 1 − C(runs − solved, k) / C(runs, k). Null if there are
 * fewer runs than k. M. Chen et al., Evaluating large language models trained on code (2021), section 2.1.
 */
export function passAtK(runs: number, solved: number, k: number): number | null {
  if (runs < k) return null;
  let missed = 1;
  for (let drawn = 0; drawn < k; drawn++) missed *= Math.max(0, runs - solved - drawn) / (runs - drawn);
  return 1 - missed;
}

/** For each k of `ks`, by the results within so many repair iterations. */
export function passAtKs(tasks: readonly TaskRuns[], ks: readonly number[], within: number): PassAtK[] {
  const counts = tasks.map(task => countsWithin(task, within));
  return ks.flatMap(k => {
    const enough = counts.filter(({ runs }) => runs >= k);
    const values = enough.flatMap(({ runs, solved }) => passAtK(runs, solved, k) ?? []);
    const runs = sumOf(enough, count => count.runs);
    const share = meanShare(values, runs);
    return share === null ? [] : [{ k, tasks: enough.length, ...share }];
  });
}

/** The values of k to report for so many samples: the customary ones, and all. */
export function defaultKs(samples: number): number[] {
  return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    .filter(k => k < samples)
    .concat(samples > 0 ? [samples] : []);
}

/** A share with the bounds of its 95% confidence interval, all in [0, 1]. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval, which is accurate for few trials and for shares near 0 and 1. E. B. Wilson,
 * Probable inference, the law of succession, and statistical inference (1927).
 */
export function wilson(value: number, trials: number): Share {
  const spread = Z ** 2 / trials;
  const centre = (value + spread / 2) / (1 + spread);
  const half = (Z / (1 + spread)) * Math.sqrt((value * (1 - value)) / trials + spread / (4 * trials));
  return {
    value,
    low: value === 0 ? 0 : centre - half,
    high: value === 1 ? 1 : centre + half,
  };
}

/**
 * The mean of the tasks' values, each in [0, 1], with a 95% interval. Runs of one task resemble each other
 * and are not independent trials. Wilson's interval is therefore computed with the effective sample size: the
 * number of independent trials whose mean would have the observed variance, at least the number of tasks and
 * at most the number of runs. If all values are 0 or all are 1, each task counts once. With one run per task
 * this is Wilson's interval itself. Null without tasks.
 * N. Dean and M. Pagano, Evaluating confidence interval methods for binomial proportions in clustered surveys
 * (2015).
 */
export function meanShare(values: readonly number[], runs: number): Share | null {
  const tasks = values.length;
  if (tasks === 0) return null;
  const value = mean(values);
  const spread = value * (1 - value);
  if (spread === 0) return wilson(value, tasks);
  const variance = mean(values.map(of => (of - value) ** 2)) / tasks;
  return wilson(value, Math.min(runs, spread / variance));
}

function mean(values: readonly number[]): number {
  return sumOf(values, value => value) / values.length;
}

/** Standard normal quantile of 0.975. */
const Z = 1.959963984540054;

/** Compares two runs on the same tasks, given the share of each task's runs that solved it, in [0, 1]. */
interface Pair {
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
