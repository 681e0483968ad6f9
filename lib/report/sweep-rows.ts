import type { RecordFacts } from '../core/record-facts.ts';
import { type ChosenWith, chosenWithIn } from './first-candidate.ts';
import type { Share } from './interval.ts';
import { defaultKs, passAtKs } from './pass-at-k.ts';
import { taskRunsOf } from './task-runs.ts';
import { isChosenByTests } from './usage.ts';

/** One point of a sweep: the results of one setting within so many repair iterations. */
export interface SweepRow extends Share {
  /** What distinguishes this run from the others of the sweep: `{"agent": "reflect", "temperature": 0.4}`. */
  readonly settings: Readonly<{ [option: string]: string | number }>;
  readonly iterations: number;
  /**
   * `value` is the share of tasks that at least one of k runs solves within so many iterations, `low` and
   * `high` its 95% interval. It is pass@k only without test feedback and if the candidate was chosen with
   * nothing.
   */
  readonly k: number;
  /** Whether the hidden tests' results for earlier candidates were used. */
  readonly with_test_feedback: boolean;
  /** What the first candidate was chosen with. */
  readonly chosen_with: ChosenWith;
  readonly tasks: number;
  readonly runs: number;
  /** Means over all runs, until solved or out of iterations. */
  readonly completion_tokens_per_run: number;
  readonly seconds_per_run: number;
}

export interface SweepRun {
  readonly settings: SweepRow['settings'];
  readonly records: readonly RecordFacts[];
  /** The numbers of iterations to report. The run's own is the highest of them, or the only one. */
  readonly iterations: readonly number[];
}

/**
 * Agents do not take the remaining iterations into account, so a run with many also shows the results of
 * lower ones, provided each attempt was judged by the hidden tests (feedback `tests`).
 */
export function sweepRows({ settings, records, iterations }: SweepRun): SweepRow[] {
  const judged = records.filter(({ passed }) => passed !== null);
  const tasks = taskRunsOf(records);
  const ks = defaultKs(tasks.reduce((max, { runs }) => Math.max(max, runs.length), 0));
  const isAided = judged.some(({ feedback }) => feedback === 'tests');
  const isChosen = judged.some(isChosenByTests);
  const chosen = chosenWithIn(records);
  return iterations.flatMap(count => {
    const cost = costWithin(judged, count);
    return passAtKs(tasks, ks, isAided ? count : Number.POSITIVE_INFINITY).map(
      ({ k, tasks: of, value, low, high }) => ({
        settings,
        iterations: count,
        k,
        with_test_feedback: isChosen || (isAided && count > 0),
        chosen_with: chosen,
        tasks: of,
        runs: judged.length,
        value,
        low,
        high,
        ...cost,
      }),
    );
  });
}

function costWithin(records: readonly RecordFacts[], iterations: number) {
  let [completionTokens, allSeconds] = [0, 0];
  for (const { attempts, search } of records) {
    for (const { iteration, tokens, seconds, diagnosis } of attempts) {
      if (!search && iteration > iterations) continue;
      completionTokens += tokens.completion + (diagnosis?.tokens.completion ?? 0);
      allSeconds += seconds.proposal + seconds.execution + (diagnosis?.seconds ?? 0);
    }
  }
  const runs = Math.max(1, records.length);
  return { completion_tokens_per_run: completionTokens / runs, seconds_per_run: allSeconds / runs };
}

/** Whether `value` is pass@k: the first candidate, with neither tests nor examples consulted. */
export function isPassAtK({ with_test_feedback, chosen_with }: SweepRow): boolean {
  return !with_test_feedback && (chosen_with ?? 'nothing') === 'nothing';
}
