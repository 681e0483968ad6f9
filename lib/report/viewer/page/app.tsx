import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useKeys } from './data/keys.ts';
import { firstSort, go, isRecord, readTableState, useAddress, useRoute } from './data/route.ts';
import { firstRuns, type RunView } from './data/run-view.ts';
import type { Source } from './data/source.ts';
import type { TaskPage } from './data/task-page.ts';
import type { Filter, Sort } from './data/tasks.ts';
import { type Run, useRuns } from './hooks/use-runs.ts';
import { useTaskPage } from './hooks/use-server-data.ts';
import { Overview } from './overview/overview.tsx';
import { RunPage } from './run-page.tsx';
import { TaskView } from './task/task-view.tsx';

/** Number of tasks of large runs that are asked for at once. */
const TASKS_AT_ONCE = 400;

const noTasks: TaskPage = {
  visible: [],
  matching: 0,
  total: 0,
  bugTypes: [],
  verdicts: [],
  paired: null,
};

export function App({ source }: { source: Source }) {
  const data = useRuns(source);
  const route = useRoute();
  const [first] = useState(() => readTableState(location.hash));
  const [chosen, setChosen] = useState<readonly string[] | null>(first.chosen);
  const [search, setSearch] = useState(first.search);
  const [filter, setFilter] = useState<Filter>(first.filter);
  const [sort, setSort] = useState<Sort>(first.sort);
  const [runView, setRunView] = useState<RunView>(first.runView);
  useAddress(route, { filter, sort, runView, chosen, search });
  const [selected, setSelected] = useState<string | null>(null);
  const [help, setHelp] = useState(false);
  const runs = data?.runs ?? [];
  const shown = useMemo(() => choose(runs, chosen), [data, chosen]);
  const [limit, setLimit] = useState(TASKS_AT_ONCE);
  const page = useTaskPage(source, shown, { filter, sort, limit }) ?? noTasks;
  const { visible } = page;
  useKeys(key => {
    if (key === '?') setHelp(!help);
    else if (key === 'Escape' && help) setHelp(false);
    else return false;
    return true;
  });
  const toggle = (id: string) => {
    const ids = shown.map(({ info }) => info.id);
    const next = ids.includes(id) ? ids.filter(other => other !== id) : [...ids, id];
    setChosen(next);
    // When a run's column disappears, so does sorting by it.
    if (!['task', 'function', 'bug'].includes(sort.key)) setSort(firstSort);
  };
  const inTask = route !== null && isRecord(route) ? route : null;
  const inRun =
    route === null || isRecord(route) ? undefined : runs.find(({ info }) => info.id === route.run);
  return (
    <>
      <header class="top">
        <button type="button" class="mark" onClick={() => go(null)} title="All tasks">
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <rect width="16" height="16" rx="4" />
            <path d="M4 8.5l2.6 2.6L12 5.4" />
          </svg>
          hefix
        </button>
        <span class="title">{data?.title ?? ''}</span>
        {runs.some(({ inProgress }) => inProgress) && <span class="live">running</span>}
        <span class="grow" />
        <button type="button" class="quiet" onClick={() => setHelp(!help)} aria-haspopup="dialog">
          Keys <kbd>?</kbd>
        </button>
      </header>
      {data?.connectionError && (
        <p class="notice" role="status">
          {data.connectionError}
        </p>
      )}
      {data === null && <p class="empty">Loading…</p>}
      {data !== null && inTask === null && inRun === undefined && (
        <Overview
          {...{
            runs,
            shown,
            page,
            showMore: () => setLimit(limit + TASKS_AT_ONCE),
            filter,
            setFilter,
            sort,
            setSort,
            toggle,
            disabled: help,
            runView,
            setRunView,
            source,
            search,
            setSearch,
          }}
          title={data.title}
          selected={selected}
          select={setSelected}
        />
      )}
      {data !== null && inRun && <RunPage {...{ source, run: inRun, disabled: help }} />}
      {data !== null && inTask && (
        <TaskView
          {...{ source, route: inTask, runs, machines: data.machines, disabled: help }}
          order={visible.map(({ id }) => id)}
          select={setSelected}
        />
      )}
      {help && <Help close={() => setHelp(false)} />}
    </>
  );
}

function choose(runs: readonly Run[], chosen: readonly string[] | null): readonly Run[] {
  if (chosen === null) return firstRuns(runs);
  return runs.filter(({ info }) => chosen.includes(info.id));
}

const groups = [
  [
    'All tasks',
    [
      ['j k', '↓ ↑', 'next, previous task'],
      ['g G', 'Home End', 'first, last task'],
      ['Enter', '', 'open the task'],
      ['/', '', 'filter'],
      ['s', '', 'search prompts, completions and code'],
      ['Esc', '', 'leave the field, then clear both'],
    ],
  ],
  [
    'A task',
    [
      ['→ ←', 'l h', 'next, previous attempt'],
      ['] [', '', 'next, previous sample'],
      ['} {', '', 'next, previous run'],
      ['j k', '', 'next, previous task of the table'],
      ['Esc', '', 'back to all tasks'],
    ],
  ],
  ['Everywhere', [['?', '', 'show or hide these keys']]],
] as const;

function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={close}>
      <h2>Keys</h2>
      {groups.map(([name, keys]) => (
        <section key={name}>
          <h3>{name}</h3>
          <dl>
            {keys.map(([first, second, about]) => (
              <div key={first}>
                <dt>
                  {[first, second].filter(Boolean).map((some, index) => (
                    <span key={some}>
                      {index > 0 && ' or '}
                      {some.split(' ').map(key => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </span>
                  ))}
                </dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
