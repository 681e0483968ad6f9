import { sumOf } from '../core/numbers.ts';
import { meanShare, type Share } from './interval.ts';
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
