import { sumOf } from '../../../../core/numbers.ts';
import type { Row } from '../../view-data.ts';

/** One task and its results in each run shown. */
export interface TaskLine<R extends Result = Cell> {
  readonly id: string;
  readonly index: number;
  readonly entryPoint: string;
  readonly bugType: string;
  /** In the order of the runs; null if a run has no record of it. */
  readonly cells: readonly (R | null)[];
}

export interface Result {
  /** Number of records, of those without errors, and of those that are solved. */
  readonly count: number;
  readonly judged: number;
  readonly solved: number;
  /** Mean number of repair iterations. */
  readonly iters: number;
  /** Totals of the samples; prompt and completion tokens together. */
  readonly tokens: number;
  readonly seconds: number;
  /** The different verdicts, and codes of errors. */
  readonly verdicts: readonly string[];
}

export interface Cell extends Result {
  /** Ordered by sample; the first ones of a large run. */
  readonly rows: readonly Row[];
}

export function taskLines(runs: readonly { readonly rows: readonly Row[] }[]): TaskLine[] {
  const byTask = new Map<string, Row[][]>();
  for (const [index, { rows }] of runs.entries()) {
    for (const row of rows) {
      const groups = byTask.get(row.task_id) ?? runs.map(() => []);
      groups[index]?.push(row);
      byTask.set(row.task_id, groups);
    }
  }
  const lines = [...byTask].map(([id, groups]): TaskLine => {
    const first = groups.find(group => group.length > 0)?.[0];
    return {
      id,
      index: first?.index ?? 0,
      entryPoint: first?.entry_point ?? '',
      bugType: first?.bug_type ?? '',
      cells: groups.map(cellOf),
    };
  });
  return lines.sort((a, b) => a.index - b.index || a.id.localeCompare(b.id));
}

function cellOf(rows: readonly Row[]): Cell | null {
  if (rows.length === 0) return null;
  const sum = (value: (row: Row) => number) => sumOf(rows, value);
  return {
    rows: rows.toSorted((a, b) => a.sample - b.sample),
    count: rows.length,
    judged: sum(({ passed }) => (passed === null ? 0 : 1)),
    solved: sum(({ passed }) => (passed ? 1 : 0)),
    iters: sum(({ iters }) => iters) / rows.length,
    tokens: sum(({ tokens }) => tokens.prompt + tokens.completion),
    seconds: sum(({ runtime_sec }) => runtime_sec),
    verdicts: [...new Set(rows.flatMap(({ verdict, error }) => error ?? verdict ?? []))],
  };
}

export const outcomes = {
  any: 'Any outcome',
  solved: 'Solved every time',
  sometimes: 'Solved sometimes',
  unsolved: 'Never solved',
  differ: 'Runs differ',
  error: 'With errors',
  aOnly: 'A more often than B',
  bOnly: 'B more often than A',
} as const;
export type Outcome = keyof typeof outcomes;
export const outcomeNames = Object.keys(outcomes) as Outcome[];

export interface Filter {
  /** Words that must all occur in the task's id, function, bug type or verdicts. */
  readonly text: string;
  readonly outcome: Outcome;
  /** Empty for all. */
  readonly bugType: string;
  readonly verdict: string;
}

export const noFilter: Filter = { text: '', outcome: 'any', bugType: '', verdict: '' };

/** Of a million tasks too, so cells are read only where the filter needs them. */
export function filtered<Line extends TaskLine<Result>>(lines: readonly Line[], filter: Filter): Line[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter(line => {
    if (filter.bugType !== '' && line.bugType !== filter.bugType) return false;
    if (filter.outcome !== 'any' && !hasOutcome(line.cells, filter.outcome)) return false;
    if (words.length === 0 && filter.verdict === '') return true;
    const verdicts = new Set(line.cells.flatMap(cell => cell?.verdicts ?? []));
    if (filter.verdict !== '' && !verdicts.has(filter.verdict)) return false;
    const text = `${line.id} ${line.entryPoint} ${line.bugType} ${[...verdicts].join(' ')}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
}

function hasOutcome(cells: TaskLine<Result>['cells'], outcome: Outcome): boolean {
  const sum = (value: (cell: Result) => number) => sumOf(cells, cell => (cell ? value(cell) : 0));
  const [solved, judged] = [sum(cell => cell.solved), sum(cell => cell.judged)];
  if (outcome === 'solved') return judged > 0 && solved === judged;
  if (outcome === 'unsolved') return judged > 0 && solved === 0;
  if (outcome === 'sometimes') return solved > 0 && solved < judged;
  if (outcome === 'error') return judged < sum(cell => cell.count);
  const shares = cells.map(share);
  if (outcome === 'differ') return new Set(shares.filter(each => each !== null)).size > 1;
  const [a, b] = shares;
  if (a == null || b == null) return false;
  return outcome === 'aOnly' ? a > b : b > a;
}

function share(cell: Result | null | undefined): number | null {
  return cell && cell.judged > 0 ? cell.solved / cell.judged : null;
}

export const sortKeys = ['task', 'function', 'bug', 'solved', 'iters', 'tokens', 'seconds'] as const;
export type SortKey = (typeof sortKeys)[number];

export interface Sort {
  readonly key: SortKey;
  /** Index of the run whose column it is. */
  readonly run: number;
  readonly descending: boolean;
}

/** Tasks without a record come last in either order. */
export function sorted<Line extends TaskLine<Result>>(lines: readonly Line[], sort: Sort): Line[] {
  const sign = sort.descending ? -1 : 1;
  const indexes = lines.map(({ index }) => index);
  const values = sort.key === 'task' ? indexes : sortValues(lines, sort.key, sort.run);
  const order = (a: number, b: number): number => {
    const [one, other] = [values[a] ?? null, values[b] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  };
  const sortedPlaces = [...lines.keys()].sort((a, b) => order(a, b) || (indexes[a] ?? 0) - (indexes[b] ?? 0));
  return sortedPlaces.flatMap(place => lines[place] ?? []);
}

function sortValues(
  lines: readonly TaskLine<Result>[],
  key: Exclude<SortKey, 'task'>,
  run: number,
): (number | null)[] {
  if (key === 'solved') return lines.map(({ cells }) => share(cells[run]));
  if (key !== 'function' && key !== 'bug') return lines.map(({ cells }) => cells[run]?.[key] ?? null);
  const words = lines.map(({ entryPoint, bugType }) => (key === 'function' ? entryPoint : bugType));
  const { compare } = new Intl.Collator();
  const ranks = new Map([...new Set(words)].sort(compare).map((word, rank) => [word, rank]));
  return words.map(word => ranks.get(word) ?? 0);
}
