import { plural } from '../../report/numbers.ts';
import { comparePairs, pairsOf } from '../../report/paired.ts';
import { RunLetter } from './run-letter.tsx';
import { taskRunsOfRows } from './run-shares.ts';
import type { Filter } from './tasks.ts';
import type { Run } from './use-runs.ts';

interface Props {
  /** The first two runs are compared. */
  readonly shown: readonly Run[];
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
}

/** The tasks that only one of two runs solved, and how likely that is by chance. */
export function PairedView({ shown: [first, second], filter, setFilter }: Props) {
  if (first === undefined || second === undefined) return null;
  const within = Number.POSITIVE_INFINITY;
  const pairs = pairsOf(taskRunsOfRows(first.rows), taskRunsOfRows(second.rows), within);
  if (pairs.length === 0) return null;
  const { a_only, b_only, mcnemar_p, tasks } = comparePairs(pairs);
  const isRepeated = [...first.rows, ...second.rows].some(({ sample }) => sample > 0);
  const button = (outcome: 'aOnly' | 'bOnly', [one, other]: readonly number[], ids: readonly string[]) => (
    <button
      type="button"
      aria-pressed={filter.outcome === outcome}
      onClick={() => setFilter({ ...filter, outcome: filter.outcome === outcome ? 'any' : outcome })}
    >
      <RunLetter index={one ?? 0} /> {isRepeated ? 'solved more often than' : 'solved,'}{' '}
      <RunLetter index={other ?? 1} />
      {isRepeated ? ': ' : ' did not: '}
      <strong>{plural(ids.length, 'task')}</strong>
    </button>
  );
  return (
    <section class="paired" aria-label="Paired comparison">
      {button('aOnly', [0, 1], a_only)}
      {button('bOnly', [1, 0], b_only)}
      <span class="muted" title="McNemar’s exact test, two-sided: how likely so uneven a split is by chance.">
        p = {mcnemar_p < 0.001 ? mcnemar_p.toExponential(1) : mcnemar_p.toFixed(3)}, on{' '}
        {plural(tasks, 'task')} of both
      </span>
    </section>
  );
}
