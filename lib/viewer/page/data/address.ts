import { useLayoutEffect } from 'preact/hooks';
import type { Route } from './route.ts';
import { defaultRunView, type RunView, runOrders } from './run-view.ts';
import { type Filter, noFilter, outcomes, type Sort, sortKeys } from './tasks.ts';

/**
 * The parts of the tables' state that are kept in the URL, so that reloading and sharing preserve filter and
 * order.
 */
export interface TableState {
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
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (name: string) => given.get(name) ?? '';
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
      descending: given.has('down'),
    },
    runView: {
      text: text('runs'),
      order: oneOf(Object.keys(runOrders) as RunView['order'][], text('order')) ?? defaultRunView.order,
      isUnfolded: given.has('all'),
    },
    chosen: given.has('on') ? text('on').split('.').filter(Boolean) : null,
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
  const kept = all.filter(([, value]) => value !== '');
  return chosen === null ? kept : [...kept, ['on', chosen.join('.')]];
}

/** Keeps the URL up to date, without adding to the history. */
export function useAddress(route: Route | null, state: TableState): void {
  const words = new URLSearchParams([
    ...(route === null
      ? []
      : Object.entries(route).map(([name, value]): [string, string] => [name, `${value}`])),
    ...tableStateWords(state),
  ]).toString();
  // Before the frame, since the page may be loaded again as soon as it is shown.
  useLayoutEffect(() => {
    if (location.hash.slice(1) !== words) history.replaceState(null, '', `#${words}`);
  }, [words]);
}

function oneOf<T extends string>(known: readonly T[], given: string): T | undefined {
  return known.find(name => name === given);
}
