import { median, sumOf } from '../core/numbers.ts';
import type { RecordFacts } from '../core/record-facts.ts';

/** Statistics of the agent `search` over all runs. */
export interface SearchUse {
  readonly runs: number;
  /** Runs whose candidates were ranked by a model. */
  readonly ranked: number;
  /** What the candidates were tried on, with the number of runs. */
  readonly tried_on: Readonly<{ [what: string]: number }>;
  /** Means over all runs: candidates enumerated, and candidates run. */
  readonly candidates_per_run: number;
  readonly tried_per_run: number;
  /**
   * For runs that solved their task, the median 1-based position of the solving candidate; null if none did.
   */
  readonly median_rank: number | null;
}

/** Null without runs of that agent. */
export function searchUse(records: readonly RecordFacts[]): SearchUse | null {
  const runs = records.flatMap(({ search, passed }) => (search ? { ...search, passed } : []));
  if (runs.length === 0) return null;
  const mean = (value: (run: (typeof runs)[number]) => number) => sumOf(runs, value) / runs.length;
  const kinds = [...new Set(runs.map(({ tried_on }) => tried_on))];
  return {
    runs: runs.length,
    ranked: runs.filter(({ ranked }) => ranked).length,
    tried_on: Object.fromEntries(
      kinds.map(kind => [kind, runs.filter(({ tried_on }) => tried_on === kind).length]),
    ),
    candidates_per_run: mean(({ candidates }) => candidates),
    tried_per_run: mean(({ tried }) => tried),
    median_rank: median(runs.flatMap(({ passed, rank }) => (passed && rank !== null ? rank : []))),
  };
}

/** Whether the hidden tests influenced a run's first answer: a search that tried its candidates on them. */
export function isChosenByTests({ search }: Pick<RecordFacts, 'search'>): boolean {
  return search?.tried_on === 'tests';
}
