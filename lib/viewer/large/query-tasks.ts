import type { TaskPage, TaskQuery } from '../page/data/task-page.ts';
import { type Cell, type Filter, noFilter, type Sort, type TaskLine } from '../page/data/tasks.ts';
import { rowOf } from '../row-of.ts';
import type { TaskTotals } from './task-totals.ts';

/** The tasks of some runs, by line: the task's number in each run, −1 where a run has none. */
interface Lines {
  readonly runs: readonly TaskTotals[];
  readonly count: number;
  readonly tasks: readonly Int32Array[];
}

/**
 * Filters and sorts the tasks of large runs and makes a page of the first ones. The same as `filtered` and `sorted`
 * do in the page, on columns: a million tasks take about a second.
 */
export function queryTasks(
  runs: readonly TaskTotals[],
  { filter, sort, limit }: Omit<TaskQuery, 'runs'>,
): Omit<TaskPage, 'paired'> {
  const lines = linesOf(runs);
  const matching: number[] = [];
  const isWanted = JSON.stringify(filter) === JSON.stringify(noFilter) ? () => true : matcher(lines, filter);
  for (let line = 0; line < lines.count; line++) if (isWanted(line)) matching.push(line);
  const order = sortedLines(lines, matching, sort);
  return {
    visible: order.slice(0, limit).map(line => taskLine(lines, line)),
    matching: matching.length,
    total: lines.count,
    bugTypes: wordsIn(runs, 'bug_type'),
    verdicts: wordsIn(runs, 'verdict'),
  };
}

function linesOf(runs: readonly TaskTotals[]): Lines {
  const lineOf = new Map<string, number>();
  const places = runs.map(({ table, count, rowsOf }) => {
    const place = new Int32Array(count).fill(-1);
    for (let task = 0; task < count; task++) {
      if (rowsOf(task).length === 0) continue;
      const id = table.columns.task_id.words[task] ?? '';
      const line = lineOf.get(id) ?? lineOf.size;
      lineOf.set(id, line);
      place[task] = line;
    }
    return place;
  });
  const tasks = places.map(place => {
    const own = new Int32Array(lineOf.size).fill(-1);
    for (const [task, line] of place.entries()) if (line >= 0) own[line] = task;
    return own;
  });
  return { runs, count: lineOf.size, tasks };
}

/** A row that stands for the task. */
function firstRow({ runs, tasks }: Lines, line: number): { run: TaskTotals; row: number } {
  const index = tasks.findIndex(own => (own[line] ?? -1) >= 0);
  const run = runs[index];
  if (run === undefined) throw new Error('A line without a task.');
  return { run, row: run.rowsOf(tasks[index]?.[line] ?? 0)[0] ?? 0 };
}

function matcher(lines: Lines, filter: Filter): (line: number) => boolean {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return line => {
    if (!hasOutcome(lines, line, filter.outcome)) return false;
    const { run, row } = firstRow(lines, line);
    const { task_id, entry_point, bug_type } = run.table.columns;
    if (filter.bugType !== '' && bug_type.at(row) !== filter.bugType) return false;
    if (words.length === 0 && filter.verdict === '') return true;
    const found = verdictsIn(lines, line);
    if (filter.verdict !== '' && !found.has(filter.verdict)) return false;
    const text = `${task_id.at(row)} ${entry_point.at(row)} ${bug_type.at(row) ?? ''} ${[...found].join(' ')}`;
    const lower = text.toLowerCase();
    return words.every(word => lower.includes(word));
  };
}

/** Verdicts, and the codes of errors. */
function verdictsIn({ runs, tasks }: Lines, line: number): Set<string> {
  const found = new Set<string>();
  for (const [index, run] of runs.entries()) {
    const task = tasks[index]?.[line] ?? -1;
    if (task < 0) continue;
    const { error, verdict } = run.table.columns;
    for (const row of run.rowsOf(task)) {
      const word = error.at(row) ?? verdict.at(row);
      if (word !== null) found.add(word);
    }
  }
  return found;
}

function hasOutcome({ runs, tasks }: Lines, line: number, outcome: Filter['outcome']): boolean {
  if (outcome === 'any') return true;
  let [solved, judged, all] = [0, 0, 0];
  const shares = runs.map((run, index) => {
    const task = tasks[index]?.[line] ?? -1;
    if (task < 0) return null;
    const [ownSolved, ownJudged] = [run.solved[task] ?? 0, run.judged[task] ?? 0];
    solved += ownSolved;
    judged += ownJudged;
    all += run.rowsOf(task).length;
    return ownJudged > 0 ? ownSolved / ownJudged : null;
  });
  if (outcome === 'solved') return judged > 0 && solved === judged;
  if (outcome === 'unsolved') return judged > 0 && solved === 0;
  if (outcome === 'sometimes') return solved > 0 && solved < judged;
  if (outcome === 'error') return judged < all;
  if (outcome === 'differ') return new Set(shares.filter(share => share !== null)).size > 1;
  const [a, b] = shares;
  if (a == null || b == null) return false;
  return outcome === 'aOnly' ? a > b : b > a;
}

/** Tasks without a record of the run come last in either order. */
function sortedLines(lines: Lines, matching: readonly number[], { key, run, descending }: Sort): number[] {
  const index = new Float64Array(lines.count);
  for (const line of matching) {
    const { run: first, row } = firstRow(lines, line);
    index[line] = first.table.columns.index.at(row) ?? 0;
  }
  const sign = descending ? -1 : 1;
  const values = key === 'task' ? index : sortValues(lines, matching, key, run);
  return matching.toSorted((a, b) => {
    const [one, other] = [values[a] ?? Number.NaN, values[b] ?? Number.NaN];
    const isMissing = Number(Number.isNaN(one)) - Number(Number.isNaN(other));
    const order = isMissing || (Number.isNaN(one) ? 0 : sign * (one - other));
    return order || (index[a] ?? 0) - (index[b] ?? 0);
  });
}

/** Numbers to sort by; NaN for none. */
function sortValues(
  lines: Lines,
  matching: readonly number[],
  key: Exclude<Sort['key'], 'task'>,
  run: number,
): Float64Array {
  const values = new Float64Array(lines.count).fill(Number.NaN);
  if (key === 'function' || key === 'bug') {
    const wordOf = (line: number) => {
      const { run: first, row } = firstRow(lines, line);
      const { entry_point, bug_type } = first.table.columns;
      return (key === 'function' ? entry_point : bug_type).at(row) ?? '';
    };
    const { compare } = new Intl.Collator();
    const ranks = new Map([...new Set(matching.map(wordOf))].sort(compare).map((word, rank) => [word, rank]));
    for (const line of matching) values[line] = ranks.get(wordOf(line)) ?? 0;
    return values;
  }
  const totals = lines.runs[run];
  for (const line of matching) {
    const task = lines.tasks[run]?.[line] ?? -1;
    if (totals === undefined || task < 0) continue;
    const [solved, judged, all] = [totals.solved[task], totals.judged[task], totals.rowsOf(task).length];
    if (key === 'solved') values[line] = (solved ?? 0) / (judged || Number.NaN);
    else if (key === 'iters') values[line] = (totals.iters[task] ?? 0) / all;
    else values[line] = totals[key][task] ?? 0;
  }
  return values;
}

function taskLine(lines: Lines, line: number): TaskLine {
  const { run, row } = firstRow(lines, line);
  const { task_id, index, entry_point, bug_type } = run.table.columns;
  return {
    id: task_id.at(row) ?? '',
    index: index.at(row) ?? 0,
    entryPoint: entry_point.at(row) ?? '',
    bugType: bug_type.at(row) ?? '',
    cells: lines.runs.map((totals, place) => cellOf(totals, lines.tasks[place]?.[line] ?? -1)),
  };
}

/** A cell has room for so many samples. */
const SAMPLES_SHOWN = 40;

function cellOf(totals: TaskTotals, task: number): Cell | null {
  if (task < 0) return null;
  const rows = totals.rowsOf(task);
  const shown = Array.from(rows.subarray(0, SAMPLES_SHOWN), row => rowOf(totals.table.at(row), row));
  return {
    rows: shown,
    solved: totals.solved[task] ?? 0,
    judged: totals.judged[task] ?? 0,
    iters: (totals.iters[task] ?? 0) / rows.length,
    tokens: totals.tokens[task] ?? 0,
    seconds: totals.seconds[task] ?? 0,
    more: rows.length - shown.length,
  };
}

function wordsIn(runs: readonly TaskTotals[], column: 'bug_type' | 'verdict'): string[] {
  return [...new Set(runs.flatMap(({ table }) => table.columns[column].words))].sort();
}
