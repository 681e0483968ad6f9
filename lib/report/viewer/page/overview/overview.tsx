import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { plural, whole } from '../../../numbers.ts';
import { useKeys } from '../data/keys.ts';
import type { RunView } from '../data/run-view.ts';
import type { Source } from '../data/source.ts';
import type { PairedCounts, TaskPage } from '../data/task-page.ts';
import { type Filter, noFilter, type Outcome, outcomes, type Sort } from '../data/tasks.ts';
import type { Run } from '../hooks/use-runs.ts';
import { useAnswer } from '../hooks/use-server-data.ts';
import { Charts } from '../parts.tsx';
import { TaskTable } from '../task/task-table.tsx';
import { RunLetter } from './run-cells.tsx';
import { RunTable } from './run-table.tsx';
import { SearchField, SearchResults } from './search-results.tsx';

interface Props {
  /** The heading of what is shown. */
  readonly title: string;
  readonly source: Source;
  readonly search: string;
  readonly setSearch: (text: string) => void;
  readonly runs: readonly Run[];
  readonly shown: readonly Run[];
  readonly page: TaskPage;
  readonly showMore: () => void;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
  readonly toggle: (run: string) => void;
  readonly runView: RunView;
  readonly setRunView: (view: RunView) => void;
  readonly selected: string | null;
  readonly select: (task: string) => void;
  /** Disables the keyboard here. */
  readonly disabled: boolean;
}

/** The runs, and below them the table of their tasks. */
export function Overview(props: Props) {
  const { source, runs, shown, page, filter, setFilter, search, setSearch, disabled } = props;
  const { visible } = page;
  const filterField = useRef<HTMLInputElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  useKeys((key, event) => {
    if (disabled) return false;
    if (key === '/' || key === 's') {
      const field = (key === '/' ? filterField : searchField).current;
      field?.focus();
      field?.select();
      return true;
    }
    if (key !== 'Escape') return false;
    if (event.target instanceof HTMLElement && event.target.matches('input, select')) event.target.blur();
    else {
      setFilter(noFilter);
      setSearch('');
    }
    return true;
  });
  const loading = runs.some(({ loaded, problem }) => !loaded && problem === null);
  return (
    <main>
      {runs.length > 0 && <RunTable {...props} />}
      {!source.live && runs.map(({ info }) => <FileCharts key={info.id} source={source} run={info.id} />)}
      {runs.length === 0 && (
        <p class="empty">
          No runs yet: start one with <code>hefix run --out {props.title}/first.jsonl</code>. It appears here
          as soon as it starts.
        </p>
      )}
      {runs.length > 0 && shown.length === 0 && <p class="empty">Tick a run to see its tasks.</p>}
      {shown.length > 0 && (
        <>
          <PairedView {...{ filter, setFilter }} paired={page.paired} />
          <FilterBar {...{ page, filter, setFilter, filterField, runs: shown.length }} />
          <SearchField {...{ search, setSearch, searchField }} />
          {visible.length > 0 && search !== '' && (
            <SearchResults {...{ source, shown, visible, text: search }} />
          )}
          {visible.length > 0 && search === '' && (
            <TaskTable {...props} visible={visible} matching={page.matching} />
          )}
          {visible.length === 0 && (
            <p class="empty">
              {page.total > 0 && 'No task matches the filter.'}
              {page.total === 0 && (loading ? 'Loading…' : 'No task is recorded yet.')}
            </p>
          )}
        </>
      )}
    </main>
  );
}

/** The charts of a report file, which are its main content. */
function FileCharts({ source, run }: { source: Source; run: string }) {
  const report = useAnswer(run, () => source.report(run));
  return report === null || report instanceof Error ? null : <Charts report={report} />;
}

interface PairedProps {
  /** Of the first two runs; null if they have no task in common. */
  readonly paired: PairedCounts | null;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
}

/** The tasks that only one of two runs solved, and how likely that is by chance. */
function PairedView({ paired, filter, setFilter }: PairedProps) {
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

interface FilterBarProps {
  readonly page: TaskPage;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly runs: number;
}

function FilterBar({ page, filter, setFilter, filterField, runs }: FilterBarProps) {
  const { bugTypes, verdicts, matching, total } = page;
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(noFilter);
  return (
    <search class="filter">
      <input
        ref={filterField}
        type="search"
        placeholder="Filter tasks"
        aria-label="Filter tasks"
        aria-keyshortcuts="/"
        value={filter.text}
        onInput={event => setFilter({ ...filter, text: event.currentTarget.value })}
      />
      <select
        aria-label="Outcome"
        value={filter.outcome}
        onChange={event => setFilter({ ...filter, outcome: event.currentTarget.value as Outcome })}
      >
        {Object.entries(outcomes)
          .filter(([name]) => runs > 1 || !['differ', 'aOnly', 'bOnly'].includes(name))
          .map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
      </select>
      <select
        aria-label="Bug type"
        value={filter.bugType}
        onChange={event => setFilter({ ...filter, bugType: event.currentTarget.value })}
      >
        <option value="">Any bug type</option>
        {bugTypes.map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Verdict"
        value={filter.verdict}
        onChange={event => setFilter({ ...filter, verdict: event.currentTarget.value })}
      >
        <option value="">Any verdict</option>
        {verdicts.map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <output class="count">
        {isFiltered ? `${whole(matching)} of ${plural(total, 'task')}` : plural(total, 'task')}
      </output>
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => setFilter(noFilter)}>
          Clear
        </button>
      )}
    </search>
  );
}
