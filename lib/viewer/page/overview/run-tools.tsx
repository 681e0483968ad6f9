import { count } from '../data/format.ts';
import { type RunView, runOrders } from '../data/run-view.ts';
import type { Run } from '../hooks/use-runs.ts';

interface Props {
  readonly runs: readonly Run[];
  readonly matching: readonly Run[];
  readonly runView: RunView;
  readonly setRunView: (view: RunView) => void;
}

export function RunTools({ runs, matching, runView, setRunView }: Props) {
  return (
    <search class="filter run-tools">
      <input
        type="search"
        placeholder="Filter runs"
        aria-label="Filter runs"
        value={runView.text}
        onInput={event => setRunView({ ...runView, text: event.currentTarget.value })}
      />
      <select
        aria-label="Order of runs"
        value={runView.order}
        onChange={event => setRunView({ ...runView, order: event.currentTarget.value as RunView['order'] })}
      >
        {Object.entries(runOrders).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <output class="count">
        {matching.length < runs.length ? `${count(matching.length)} of ` : ''}
        {count(runs.length)} runs
      </output>
    </search>
  );
}
