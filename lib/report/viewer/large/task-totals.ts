import type { FactTable } from '../../results/fact-table.ts';

/** The current rows of a table by task, and their sums; tasks are numbered by their code in the table. */
export interface TaskTotals {
  readonly table: FactTable;
  /** Number of tasks. */
  readonly count: number;
  /** The rows of a task by sample. */
  rowsOf(task: number): Uint32Array;
  readonly solved: Uint32Array;
  readonly judged: Uint32Array;
  readonly iters: Float64Array;
  readonly tokens: Float64Array;
  readonly seconds: Float64Array;
}

export function taskTotals(table: FactTable): TaskTotals {
  const { columns } = table;
  const count = columns.task_id.words.length;
  const starts = new Uint32Array(count + 1);
  const current = currentRows(table);
  for (const row of current) {
    const next = columns.task_id.code(row) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let task = 0; task < count; task++) starts[task + 1] = (starts[task + 1] ?? 0) + (starts[task] ?? 0);
  const rows = new Uint32Array(current.length);
  const filled = starts.slice();
  const [solved, judged] = [new Uint32Array(count), new Uint32Array(count)];
  const [iters, tokens, seconds] = [0, 0, 0].map(() => new Float64Array(count)) as Triple;
  const add = (to: Float64Array | Uint32Array, task: number, amount: number) => {
    to[task] = (to[task] ?? 0) + amount;
  };
  for (const row of current) {
    const task = columns.task_id.code(row);
    const place = filled[task] ?? 0;
    rows[place] = row;
    filled[task] = place + 1;
    const passed = columns.passed.at(row);
    if (passed) add(solved, task, 1);
    if (passed !== null) add(judged, task, 1);
    if (columns.search_tried_on.at(row) === null) add(iters, task, columns.iters.at(row) ?? 0);
    add(tokens, task, (columns.prompt_tokens.at(row) ?? 0) + (columns.completion_tokens.at(row) ?? 0));
    add(seconds, task, columns.runtime_sec.at(row) ?? 0);
  }
  const sampleOf = (row: number) => columns.sample.at(row) ?? 0;
  const rowsOf = (task: number) => rows.subarray(starts[task], starts[task + 1]);
  for (let task = 0; task < count; task++) rowsOf(task).sort((a, b) => sampleOf(a) - sampleOf(b));
  return { table, count, rowsOf, solved, judged, iters, tokens, seconds };
}

type Triple = [Float64Array, Float64Array, Float64Array];

function currentRows(table: FactTable): Uint32Array {
  const rows = new Uint32Array(table.length());
  let count = 0;
  for (let row = 0; row < rows.length; row++) {
    if (table.isReplaced(row)) continue;
    rows[count] = row;
    count++;
  }
  return rows.subarray(0, count);
}
