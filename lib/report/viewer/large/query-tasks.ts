import type { FactTable } from '../../results/fact-table.ts';
import type { TaskPage, TaskQuery } from '../page/data/task-page.ts';
import { type Cell, filtered, type Result, sorted, type TaskLine } from '../page/data/tasks.ts';
import { rowOf } from '../row-of.ts';
import type { TaskTotals } from './task-totals.ts';

/** Filters and sorts the tasks of large runs and makes a page of the first ones; a million tasks take one to two seconds. */
export function queryTasks(
  runs: readonly TaskTotals[],
  { filter, sort, limit }: Omit<TaskQuery, 'runs'>,
): Omit<TaskPage, 'paired'> {
  const lines = linesOf(runs);
  const matching = sorted(filtered(lines, filter), sort);
  return {
    visible: matching.slice(0, limit).map(line => line.shown()),
    matching: matching.length,
    total: lines.length,
    bugTypes: wordsIn(runs, 'bug_type'),
    verdicts: wordsIn(runs, 'verdict'),
  };
}

/** The tasks of some runs; a task has a number in each run that has it. */
function linesOf(runs: readonly TaskTotals[]): Line[] {
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
    const taskOfLine = new Int32Array(lineOf.size).fill(-1);
    for (const [task, line] of place.entries()) if (line >= 0) taskOfLine[line] = task;
    return taskOfLine;
  });
  return Array.from({ length: lineOf.size }, (_, line) => new Line(runs, tasks, line));
}

/** Reads its parts from the columns when they are asked for. */
class Line implements TaskLine<Result> {
  readonly #runs: readonly TaskTotals[];
  readonly #tasks: readonly Int32Array[];
  readonly #line: number;

  constructor(runs: readonly TaskTotals[], tasks: readonly Int32Array[], line: number) {
    this.#runs = runs;
    this.#tasks = tasks;
    this.#line = line;
  }

  get id() {
    return this.#first(({ task_id }, row) => task_id.at(row)) ?? '';
  }
  get index() {
    return this.#first(({ index }, row) => index.at(row)) ?? 0;
  }
  get entryPoint() {
    return this.#first(({ entry_point }, row) => entry_point.at(row)) ?? '';
  }
  get bugType() {
    return this.#first(({ bug_type }, row) => bug_type.at(row)) ?? '';
  }
  get cells() {
    return this.#cells((run, task) => new TaskResult(run, task));
  }

  /** With the rows of its samples. */
  shown(): TaskLine {
    const { id, index, entryPoint, bugType } = this;
    return { id, index, entryPoint, bugType, cells: this.#cells(cellOf) };
  }

  #cells<R>(of: (run: TaskTotals, task: number) => R): (R | null)[] {
    return this.#runs.map((run, number) => {
      const task = this.#tasks[number]?.[this.#line] ?? -1;
      return task < 0 ? null : of(run, task);
    });
  }

  /** Reads the first record of the task. */
  #first<T>(read: (columns: FactTable['columns'], row: number) => T): T {
    const number = this.#tasks.findIndex(tasks => (tasks[this.#line] ?? -1) >= 0);
    const [run, task] = [this.#runs[number], this.#tasks[number]?.[this.#line]];
    if (run === undefined || task === undefined) throw new Error('A line without a task.');
    return read(run.table.columns, run.rowsOf(task)[0] ?? 0);
  }
}

class TaskResult implements Result {
  readonly #run: TaskTotals;
  readonly #task: number;

  constructor(run: TaskTotals, task: number) {
    this.#run = run;
    this.#task = task;
  }

  get count() {
    return this.#run.rowsOf(this.#task).length;
  }
  get judged() {
    return this.#run.judged[this.#task] ?? 0;
  }
  get solved() {
    return this.#run.solved[this.#task] ?? 0;
  }
  get iters() {
    return (this.#run.iters[this.#task] ?? 0) / this.count;
  }
  get tokens() {
    return this.#run.tokens[this.#task] ?? 0;
  }
  get seconds() {
    return this.#run.seconds[this.#task] ?? 0;
  }
  get verdicts() {
    const { error, verdict } = this.#run.table.columns;
    const verdicts = new Set<string>();
    for (const row of this.#run.rowsOf(this.#task)) {
      const word = error.at(row) ?? verdict.at(row);
      if (word !== null) verdicts.add(word);
    }
    return [...verdicts];
  }
}

/** A cell has room for so many samples. */
const SAMPLES_SHOWN = 40;

function cellOf(run: TaskTotals, task: number): Cell {
  const shown = Array.from(run.rowsOf(task).subarray(0, SAMPLES_SHOWN), row => rowOf(run.table.at(row), row));
  const { count, judged, solved, iters, tokens, seconds, verdicts } = new TaskResult(run, task);
  return { count, judged, solved, iters, tokens, seconds, verdicts, rows: shown };
}

function wordsIn(runs: readonly TaskTotals[], column: 'bug_type' | 'verdict'): string[] {
  return [...new Set(runs.flatMap(({ table }) => table.columns[column].words))].sort();
}
