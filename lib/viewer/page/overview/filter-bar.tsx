import type { RefObject } from 'preact';
import { plural, whole } from '../../../report/numbers.ts';
import type { TaskPage } from '../data/task-page.ts';
import { type Filter, noFilter, type Outcome, outcomes } from '../data/tasks.ts';

interface Props {
  readonly page: TaskPage;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly runs: number;
}

export function FilterBar({ page, filter, setFilter, filterField, runs }: Props) {
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
