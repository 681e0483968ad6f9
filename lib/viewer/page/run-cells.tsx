import type { Row } from '../view-data.ts';
import { count, seconds } from './format.ts';
import { OUTCOME_SIGNS, outcomeOf, outcomeWords } from './outcome.ts';
import type { Cell } from './tasks.ts';

interface Props {
  readonly cell: Cell | null;
  readonly figures: boolean;
  readonly open: (sample: number) => void;
}

/** What one run came to on a task: its samples, and their figures where there is room. */
export function RunCells({ cell, figures, open }: Props) {
  if (cell === null) {
    return (
      <td class="muted" colSpan={figures ? 4 : 1}>
        not recorded
      </td>
    );
  }
  return (
    <>
      <td>
        <span class="chips">
          {cell.rows.map(row => (
            <Chip key={row.sample} row={row} open={open} />
          ))}
        </span>
      </td>
      {figures && <td class="number">{Number(cell.iters.toFixed(1))}</td>}
      {figures && <td class="number">{count(cell.tokens)}</td>}
      {figures && <td class="number">{seconds(cell.seconds)}</td>}
    </>
  );
}

/** One sample: its sign tells solved from not without its colour, and a number the repairs that it took. */
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
      {outcome === 'solved' ? row.iters : OUTCOME_SIGNS[outcome]}
    </span>
  );
}
