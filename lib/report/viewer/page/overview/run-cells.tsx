import type { Row } from '../../view-data.ts';
import { count, OUTCOME_SIGNS, outcomeOf, outcomeWords, seconds } from '../data/format.ts';
import { type RunView, runOrders } from '../data/run-view.ts';
import type { Cell } from '../data/tasks.ts';
import type { Run } from '../hooks/use-runs.ts';

interface Props {
  /** 0-based index of the run among those shown. */
  readonly run: number;
  readonly cell: Cell | null;
  readonly figures: boolean;
  readonly open: (sample: number) => void;
}

/** One run's results on a task: its samples and, if there is room, their numbers. */
export function RunCells({ run, cell, figures, open }: Props) {
  if (cell === null) {
    return (
      <td class="muted samples" data-run={letterOf(run)} colSpan={figures ? 4 : 1}>
        not recorded
      </td>
    );
  }
  return (
    <>
      <td class="samples" data-run={letterOf(run)}>
        <span class="chips">
          {cell.rows.map(row => (
            <Chip key={row.sample} row={row} open={open} />
          ))}
          {cell.count > cell.rows.length && (
            <small class="muted">
              {cell.solved} of {count(cell.judged)} solved
            </small>
          )}
        </span>
      </td>
      {figures &&
        [
          ['Iterations', String(Number(cell.iters.toFixed(1)))],
          ['Tokens', count(cell.tokens)],
          ['Time', seconds(cell.seconds)],
        ].map(([label, value]) => (
          <td key={label} class="number" data-label={label}>
            {value}
          </td>
        ))}
    </>
  );
}

/** One sample: a sign for the outcome, and the number of repair iterations in small print. */
function Chip({ row, open }: { row: Row; open: (sample: number) => void }) {
  const outcome = outcomeOf(row.passed);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row opens the task by key, and ] the other samples.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <span
      class={`chip ${outcome}`}
      title={outcomeWords(row)}
      onClick={event => {
        event.stopPropagation();
        open(row.sample);
      }}
    >
      {OUTCOME_SIGNS[outcome]}
      {outcome === 'solved' && row.iters > 0 && <sub>{row.iters}</sub>}
    </span>
  );
}

/** The legend of the signs. */
export function Legend() {
  return (
    <p class="legend" role="note" aria-label="Legend">
      <span>
        <i class="chip solved">✓</i> solved
      </span>
      <span>
        <i class="chip solved">
          ✓<sub>2</sub>
        </i>{' '}
        solved after 2 repairs
      </span>
      <span>
        <i class="chip unsolved">×</i> not solved
      </span>
      <span>
        <i class="chip error">!</i> error, not judged
      </span>
    </p>
  );
}

/** The letter of a run in the table's columns. */
export function RunLetter({ index }: { index: number }) {
  return <span class={`letter letter-${index % 6}`}>{letterOf(index)}</span>;
}

export function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

interface RunToolsProps {
  readonly runs: readonly Run[];
  readonly matching: readonly Run[];
  readonly runView: RunView;
  readonly setRunView: (view: RunView) => void;
}

export function RunTools({ runs, matching, runView, setRunView }: RunToolsProps) {
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
