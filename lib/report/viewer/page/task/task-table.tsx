import { useEffect, useRef, useState } from 'preact/hooks';
import { whole } from '../../../numbers.ts';
import { useKeys } from '../data/keys.ts';
import { go } from '../data/route.ts';
import { runNames } from '../data/run-view.ts';
import type { Sort, SortKey, TaskLine } from '../data/tasks.ts';
import type { Run } from '../hooks/use-runs.ts';
import { Legend, letterOf, RunCells, RunLetter } from '../overview/run-cells.tsx';

interface Props {
  readonly shown: readonly Run[];
  readonly visible: readonly TaskLine[];
  /** Number of tasks that match; more than `visible` for large runs. */
  readonly matching: number;
  /** Asks for more of them. */
  readonly showMore: () => void;
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
  readonly selected: string | null;
  readonly select: (task: string) => void;
  readonly disabled: boolean;
}

/** Number of rows rendered at first, so that thousands of tasks do not block the page. */
const ROWS_AT_FIRST = 400;

export function TaskTable(props: Props) {
  const { shown, visible, matching, showMore, sort, setSort, selected, select, disabled } = props;
  const [limit, setLimit] = useState(ROWS_AT_FIRST);
  const body = useRef<HTMLTableSectionElement>(null);
  const selectedIndex = visible.findIndex(({ id }) => id === selected);
  // Keys may come faster than frames: each step starts at the last one, rendered or not.
  const position = useRef(selectedIndex);
  const drawn = useRef(selectedIndex);
  if (drawn.current !== selectedIndex) {
    drawn.current = selectedIndex;
    position.current = selectedIndex;
  }
  const focusRow = (index: number) => body.current?.rows[index]?.focus();
  // After returning from a task or the filter, keys continue from the previous row.
  useEffect(() => {
    if (selectedIndex !== -1 && document.activeElement === document.body) focusRow(selectedIndex);
  }, []);
  const move = (to: number) => {
    const index = Math.min(Math.max(to, 0), visible.length - 1);
    const line = visible[index];
    if (line === undefined) return;
    if (index >= limit) setLimit(visible.length);
    position.current = index;
    select(line.id);
    requestAnimationFrame(() => focusRow(index));
  };
  useKeys(key => {
    if (disabled) return false;
    const focus = document.activeElement;
    // A row gets the focus in the next frame; keys pressed before that are meant for it.
    const isFocused = body.current?.contains(focus) || (focus === document.body && position.current !== -1);
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key];
    if (step !== undefined)
      move(isFocused || position.current !== -1 ? Math.max(0, position.current) + step : 0);
    else if (key === 'g' || key === 'Home') move(0);
    else if (key === 'G' || key === 'End') move(visible.length - 1);
    else if (key === 'Enter' && isFocused) open(visible[Math.max(0, position.current)]);
    else return false;
    return true;
  });
  const open = (line: TaskLine | undefined, run?: string, sample?: number) => {
    if (line === undefined) return;
    select(line.id);
    const first = line.cells.findIndex(cell => cell !== null);
    const row = line.cells[first]?.rows[0];
    go({
      run: run ?? shown[first]?.info.id ?? '',
      task: line.id,
      sample: sample ?? row?.sample ?? 0,
      attempt: 0,
    });
  };
  const header = { sort, setSort };
  const figures = shown.length <= 2;
  const names = runNames(shown.map(({ info }) => info));
  return (
    <section class="card tasks">
      <Legend />
      <table>
        <thead>
          {shown.length > 1 && (
            <tr class="letters">
              <td colSpan={3} />
              {shown.map((run, index) => (
                <th key={run.info.id} scope="colgroup" colSpan={figures ? 4 : 1} title={run.info.name}>
                  <RunLetter index={index} /> {names.get(run.info.id)}
                </th>
              ))}
            </tr>
          )}
          <tr>
            <Header {...header} name="task" words="Task" />
            <Header {...header} name="function" words="Function" />
            <Header {...header} name="bug" words="Bug type" />
            {shown.map((run, index) => (
              <RunHeaders key={run.info.id} {...header} run={index} figures={figures} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {visible.slice(0, limit).map((line, index) => (
            <tr
              key={line.id}
              tabIndex={index === Math.max(0, selectedIndex) ? 0 : -1}
              aria-label={`${line.id}, ${line.entryPoint}`}
              onClick={() => open(line)}
              onFocus={() => select(line.id)}
            >
              <td class="task">{line.id}</td>
              <td class="code">{line.entryPoint}</td>
              <td class="bug">{line.bugType || '–'}</td>
              {line.cells.map((cell, at) => (
                <RunCells
                  key={shown[at]?.info.id ?? at}
                  {...{ cell, figures, run: at }}
                  open={sample => open(line, shown[at]?.info.id, sample)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {limit < visible.length && (
        <button type="button" class="more" onClick={() => setLimit(visible.length)}>
          Show all {visible.length} tasks
        </button>
      )}
      {limit >= visible.length && visible.length < matching && (
        <button
          type="button"
          class="more"
          onClick={() => {
            setLimit(limit + ROWS_AT_FIRST);
            showMore();
          }}
        >
          Show more of {whole(matching)} tasks
        </button>
      )}
    </section>
  );
}

interface HeaderProps {
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
}

function RunHeaders({ run, figures, ...sorting }: HeaderProps & { run: number; figures: boolean }) {
  const header = { ...sorting, run, letter: letterOf(run) };
  return (
    <>
      <Header {...header} name="solved" words="Samples" />
      {figures && <Header {...header} name="iters" words="Iterations" number />}
      {figures && <Header {...header} name="tokens" words="Tokens" number />}
      {figures && <Header {...header} name="seconds" words="Time" number />}
    </>
  );
}

interface OneHeaderProps extends HeaderProps {
  readonly name: SortKey;
  readonly words: string;
  readonly run?: number;
  readonly number?: boolean;
  /** Names the run on a phone, where columns have no heading above them. */
  readonly letter?: string;
}

function Header({ name, words, run = 0, number = false, letter, sort, setSort }: OneHeaderProps) {
  const isSorted = sort.key === name && sort.run === run;
  const direction = sort.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={number ? 'number' : ''} aria-sort={isSorted ? direction : 'none'}>
      <button
        type="button"
        onClick={() => setSort({ key: name, run, descending: isSorted && !sort.descending })}
      >
        {letter && <span class="narrow">{letter} </span>}
        {words}
        <span class="arrow" aria-hidden="true">
          {isSorted ? (sort.descending ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  );
}
