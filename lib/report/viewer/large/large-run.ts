import type { FactTable } from '../../results/fact-table.ts';
import { chosenWithIn, shareWithin, type TaskRuns, taskRunsOf } from '../../task-runs.ts';
import { rowOf } from '../row-of.ts';
import type { Row, RunTotals } from '../view-data.ts';
import { type TaskTotals, taskTotals } from './task-totals.ts';

/** A large results file on the server: computed when it is asked for, and again when records were added. */
export interface LargeRun {
  tasks(): TaskTotals;
  taskRuns(): readonly TaskRuns[];
  totals(): RunTotals;
  /** The rows of a task, the first 200 samples at most. */
  rowsOf(task: string): Row[];
}

export function createLargeRun(table: FactTable): LargeRun {
  const once = <T>(compute: () => T) => {
    let cache: { readonly length: number; readonly value: T } | null = null;
    return () => {
      if (cache?.length !== table.length()) cache = { length: table.length(), value: compute() };
      return cache.value;
    };
  };
  const tasks = once(() => taskTotals(table));
  const taskRuns = once(() => taskRunsOf(table.current()));
  return {
    tasks,
    taskRuns,
    totals: once(() => totalsOf(table, tasks(), taskRuns())),
    rowsOf(task) {
      const code = table.columns.task_id.words.indexOf(task);
      const rows = code === -1 ? new Uint32Array() : tasks().rowsOf(code);
      return Array.from(rows.subarray(0, MAX_ROWS), row => rowOf(table.at(row), row));
    },
  };
}

const MAX_ROWS = 200;

function totalsOf(table: FactTable, totals: TaskTotals, taskRuns: readonly TaskRuns[]): RunTotals {
  let [tasks, samples, errors, tokens, seconds] = [0, 0, 0, 0, 0];
  for (let task = 0; task < totals.count; task++) {
    const rows = totals.rowsOf(task).length;
    if (rows > 0) tasks++;
    samples = Math.max(samples, rows);
    errors += rows - (totals.judged[task] ?? 0);
    tokens += totals.tokens[task] ?? 0;
    seconds += totals.seconds[task] ?? 0;
  }
  // Without test feedback an agent submits one answer, regardless of the number of iterations.
  const isAided = table.columns.feedback.words.includes('tests');
  const isChosen = chosenWithIn(table.current()) !== 'nothing';
  const within = isAided ? 0 : Number.POSITIVE_INFINITY;
  return {
    tasks,
    samples,
    errors,
    tokens,
    seconds,
    first: isChosen ? null : shareWithin(taskRuns, within),
    solved: shareWithin(taskRuns, Number.POSITIVE_INFINITY),
  };
}
