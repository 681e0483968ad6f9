import { useRef } from 'preact/hooks';
import { FilterBar } from './filter-bar.tsx';
import { useKeys } from './keys.ts';
import { PairedView } from './paired-view.tsx';
import { RunTable } from './run-table.tsx';
import type { RunView } from './run-tools.tsx';
import type { Source } from './source.ts';
import { TaskTable } from './task-table.tsx';
import { type Filter, noFilter, type Sort, type TaskLine } from './tasks.ts';
import type { Run } from './use-runs.ts';

interface Props {
  /** What was asked to be shown. */
  readonly title: string;
  readonly pictures: Source['pictures'];
  readonly runs: readonly Run[];
  readonly shown: readonly Run[];
  readonly lines: readonly TaskLine[];
  readonly visible: readonly TaskLine[];
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
  readonly toggle: (run: string) => void;
  readonly runView: RunView;
  readonly setRunView: (view: RunView) => void;
  readonly selected: string | null;
  readonly select: (task: string) => void;
  /** Keys go elsewhere. */
  readonly disabled: boolean;
}

/** The runs, and below them the table of their tasks. */
export function Overview(props: Props) {
  const { runs, shown, lines, visible, filter, setFilter, disabled } = props;
  const search = useRef<HTMLInputElement>(null);
  useKeys((key, event) => {
    if (disabled) return false;
    if (key === '/') {
      search.current?.focus();
      search.current?.select();
      return true;
    }
    if (key !== 'Escape') return false;
    if (event.target instanceof HTMLElement && event.target.matches('input, select')) event.target.blur();
    else setFilter(noFilter);
    return true;
  });
  const loading = runs.some(({ loaded, problem }) => !loaded && problem === null);
  return (
    <main>
      {runs.length > 0 && <RunTable {...props} />}
      {props.pictures.map(({ light, dark, narrow, words }) => (
        <details key={words} class="charts" open>
          <summary>Charts</summary>
          <picture>
            <source media="(max-width: 640px) and (prefers-color-scheme: dark)" srcset={narrow.dark} />
            <source media="(max-width: 640px)" srcset={narrow.light} />
            <source media="(prefers-color-scheme: dark)" srcset={dark} />
            <img src={light} alt={words} />
          </picture>
          <details>
            <summary>In words</summary>
            <pre class="text">{words}</pre>
          </details>
        </details>
      ))}
      {runs.length === 0 && (
        <p class="empty">
          No runs yet: start one with <code>hefix run --out {props.title}/first.jsonl</code>. It appears here
          as soon as it starts.
        </p>
      )}
      {runs.length > 0 && shown.length === 0 && <p class="empty">Tick a run to see its tasks.</p>}
      {shown.length > 0 && (
        <>
          <PairedView {...{ shown, filter, setFilter }} />
          <FilterBar {...{ lines, visible, filter, setFilter, search, runs: shown.length }} />
          {visible.length > 0 && <TaskTable {...props} />}
          {visible.length === 0 && (
            <p class="empty">
              {lines.length > 0 && 'No task matches the filter.'}
              {lines.length === 0 && (loading ? 'Loading…' : 'No task is recorded yet.')}
            </p>
          )}
        </>
      )}
    </main>
  );
}
