import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { defaultRunView, type RunView, runOrders } from './run-view.ts';
import { type Filter, noFilter, outcomes, type Sort, sortKeys } from './tasks.ts';

/** The page shown, kept in the URL so that «back» and reloading work. */
export type Route = RunRoute | RecordRoute;

/** A run's page. */
export interface RunRoute {
  readonly run: string;
}

/** One of its records: the task page. */
export interface RecordRoute extends RunRoute {
  readonly task: string;
  readonly sample: number;
  readonly attempt: number;
}

export function isRecord(route: Route): route is RecordRoute {
  return 'task' in route;
}

export function useRoute(): Route | null {
  const [route, setRoute] = useState(() => parse(location.hash));
  useEffect(() => {
    const read = () => setRoute(parse(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
}

/** Moving between records does not add to the history. */
export function go(route: Route | null): void {
  const before = parse(location.hash);
  const isStep = route === null || before === null || isRecord(before) !== isRecord(route);
  const hash = `#${new URLSearchParams(Object.entries(route ?? {}).map(([name, value]) => [name, `${value}`]))}`;
  if (isStep) location.hash = hash;
  else {
    history.replaceState(null, '', hash);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

function parse(hash: string): Route | null {
  const parameters = new URLSearchParams(hash.slice(1));
  const [run, task] = [parameters.get('run'), parameters.get('task')];
  if (run === null) return null;
  if (task === null) return { run };
  const number = (name: string) => Math.max(0, Math.floor(Number(parameters.get(name))) || 0);
  return { run, task, sample: number('sample'), attempt: number('attempt') };
}

/**
 * The parts of the tables' state that are kept in the URL, so that reloading and sharing preserve filter and
 * order.
 */
interface TableState {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly runView: RunView;
  /** Ids of the selected runs; null for the default selection. */
  readonly chosen: readonly string[] | null;
  /** The text to search records for; may be empty. */
  readonly search: string;
}

export const firstSort: Sort = { key: 'task', run: 0, descending: false };

export function readTableState(hash: string): TableState {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (name: string) => parameters.get(name) ?? '';
  const run = Number(text('by'));
  return {
    filter: {
      text: text('find'),
      outcome: oneOf(Object.keys(outcomes) as Filter['outcome'][], text('outcome')) ?? noFilter.outcome,
      bugType: text('bug'),
      verdict: text('verdict'),
    },
    sort: {
      key: oneOf(sortKeys, text('sort')) ?? firstSort.key,
      run: Number.isInteger(run) && run > 0 ? run : 0,
      descending: parameters.has('down'),
    },
    runView: {
      text: text('runs'),
      order: oneOf(Object.keys(runOrders) as RunView['order'][], text('order')) ?? defaultRunView.order,
      isUnfolded: parameters.has('all'),
    },
    chosen: parameters.has('on') ? text('on').split('.').filter(Boolean) : null,
    search: text('search'),
  };
}

/** Leaves out defaults. */
export function tableStateWords({ filter, sort, runView, chosen, search }: TableState): [string, string][] {
  const all: [string, string][] = [
    ['find', filter.text],
    ['outcome', filter.outcome === noFilter.outcome ? '' : filter.outcome],
    ['bug', filter.bugType],
    ['verdict', filter.verdict],
    ['sort', sort.key === firstSort.key ? '' : sort.key],
    ['by', sort.run === 0 ? '' : String(sort.run)],
    ['down', sort.descending ? '1' : ''],
    ['runs', runView.text],
    ['order', runView.order === defaultRunView.order ? '' : runView.order],
    ['all', runView.isUnfolded ? '1' : ''],
    ['search', search],
  ];
  const set = all.filter(([, value]) => value !== '');
  return chosen === null ? set : [...set, ['on', chosen.join('.')]];
}

/** Keeps the URL up to date, without adding to the history. */
export function useAddress(route: Route | null, state: TableState): void {
  const hash = new URLSearchParams([
    ...(route === null
      ? []
      : Object.entries(route).map(([name, value]): [string, string] => [name, `${value}`])),
    ...tableStateWords(state),
  ]).toString();
  // Before the frame, since the page may be loaded again as soon as it is shown.
  useLayoutEffect(() => {
    if (location.hash.slice(1) !== hash) history.replaceState(null, '', `#${hash}`);
  }, [hash]);
}

function oneOf<T extends string>(names: readonly T[], wanted: string): T | undefined {
  return names.find(name => name === wanted);
}
