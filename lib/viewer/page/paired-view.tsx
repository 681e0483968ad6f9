import { plural } from '../../report/numbers.ts';
import { RunLetter } from './run-letter.tsx';
import type { PairedCounts } from './task-page.ts';
import type { Filter } from './tasks.ts';

interface Props {
  /** Of the first two runs; null if they have no task in common. */
  readonly paired: PairedCounts | null;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
}

/** The tasks that only one of two runs solved, and how likely that is by chance. */
export function PairedView({ paired, filter, setFilter }: Props) {
  if (paired === null) return null;
  const { aOnly, bOnly, p, tasks, isRepeated } = paired;
  const button = (outcome: 'aOnly' | 'bOnly', [one, other]: readonly number[], count: number) => (
    <button
      type="button"
      aria-pressed={filter.outcome === outcome}
      onClick={() => setFilter({ ...filter, outcome: filter.outcome === outcome ? 'any' : outcome })}
    >
      <RunLetter index={one ?? 0} /> {isRepeated ? 'solved more often than' : 'solved,'}{' '}
      <RunLetter index={other ?? 1} />
      {isRepeated ? ': ' : ' did not: '}
      <strong>{plural(count, 'task')}</strong>
    </button>
  );
  return (
    <section class="paired" aria-label="Paired comparison">
      {button('aOnly', [0, 1], aOnly)}
      {button('bOnly', [1, 0], bOnly)}
      <span class="muted" title="McNemar’s exact test, two-sided: how likely so uneven a split is by chance.">
        p = {p < 0.001 ? p.toExponential(1) : p.toFixed(3)}, on {plural(tasks, 'task')} of both
      </span>
    </section>
  );
}
