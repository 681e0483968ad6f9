import { sumOf } from '../../../core/numbers.ts';
import type { Row } from '../../view-data.ts';

/** One task and the results of each run shown. */
export interface TaskLine {
  readonly id: string;
  readonly index: number;
  readonly entryPoint: string;
  readonly bugType: string;
  /** In the order of the runs; null if a run has no record of it. */
  readonly cells: readonly (Cell | null)[];
}

export interface Cell {
  /** Ordered by sample. */
  readonly rows: readonly Row[];
  readonly solved: number;
  /** Records without errors. */
  readonly judged: number;
  /** Mean number of repair iterations. */
  readonly iters: number;
  /** Totals of the samples; prompt and completion tokens together. */
  readonly tokens: number;
  readonly seconds: number;
  /** Number of samples that are not in `rows`. */
  readonly more: number;
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
    solved: sum(({ passed }) => (passed ? 1 : 0)),
    judged: sum(({ passed }) => (passed === null ? 0 : 1)),
    iters: sum(({ iters }) => iters) / rows.length,
    tokens: sum(({ tokens }) => tokens.prompt + tokens.completion),
    seconds: sum(({ runtime_sec }) => runtime_sec),
    more: 0,
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

export function filtered(lines: readonly TaskLine[], filter: Filter): TaskLine[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter(line => {
    if (filter.bugType !== '' && line.bugType !== filter.bugType) return false;
    const rows = line.cells.flatMap(cell => cell?.rows ?? []);
    if (filter.verdict !== '' && !rows.some(({ verdict }) => verdict === filter.verdict)) return false;
    if (!hasOutcome(line, rows, filter.outcome)) return false;
    const verdicts = [...new Set(rows.map(({ verdict, error }) => error ?? verdict))].join(' ');
    const text = `${line.id} ${line.entryPoint} ${line.bugType} ${verdicts}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
}

function hasOutcome({ cells }: TaskLine, rows: readonly Row[], outcome: Outcome): boolean {
  const solved = rows.filter(({ passed }) => passed === true).length;
  const judged = rows.filter(({ passed }) => passed !== null).length;
  if (outcome === 'solved') return judged > 0 && solved === judged;
  if (outcome === 'unsolved') return judged > 0 && solved === 0;
  if (outcome === 'sometimes') return solved > 0 && solved < judged;
  if (outcome === 'error') return judged < rows.length;
  if (outcome === 'any') return true;
  if (outcome === 'aOnly' || outcome === 'bOnly') {
    const [a, b] = cells.map(cell => (cell && cell.judged > 0 ? cell.solved / cell.judged : null));
    if (a == null || b == null) return false;
    return outcome === 'aOnly' ? a > b : b > a;
  }
  const shares = cells.flatMap(cell => (cell && cell.judged > 0 ? [cell.solved / cell.judged] : []));
  return new Set(shares).size > 1;
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
export function sorted(lines: readonly TaskLine[], { key, run, descending }: Sort): TaskLine[] {
  const sign = descending ? -1 : 1;
  return lines.toSorted((a, b) => {
    const [one, other] = [sortValue(a, key, run), sortValue(b, key, run)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const order =
      typeof one === 'string'
        ? one.localeCompare(String(other))
        : one - (typeof other === 'number' ? other : 0);
    return sign * order || a.index - b.index;
  });
}

function sortValue(line: TaskLine, key: SortKey, run: number): string | number | null {
  if (key === 'task') return line.index;
  if (key === 'function') return line.entryPoint;
  if (key === 'bug') return line.bugType;
  const cell = line.cells[run] ?? null;
  if (key === 'solved') return cell && cell.judged > 0 ? cell.solved / cell.judged : null;
  return cell?.[key] ?? null;
}
