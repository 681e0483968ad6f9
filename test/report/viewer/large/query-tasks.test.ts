import { expect, test } from 'vitest';
import type { RunRecord } from '../../../../lib/core/record.ts';
import { createFactTable } from '../../../../lib/report/results/fact-table.ts';
import { queryTasks } from '../../../../lib/report/viewer/large/query-tasks.ts';
import { taskTotals } from '../../../../lib/report/viewer/large/task-totals.ts';
import {
  filtered,
  noFilter,
  outcomeNames,
  sorted,
  sortKeys,
  taskLines,
} from '../../../../lib/report/viewer/page/data/tasks.ts';
import { rowOf } from '../../../../lib/report/viewer/row-of.ts';
import { recordOf, recordsOf } from '../runs.ts';

const broken = (task: number): RunRecord => ({
  ...recordOf(task, 9),
  passed: null,
  verdict: null,
  error: { code: 'SANDBOX_FAILED', message: 'It is gone.' },
});
const [a, b] = [
  [...recordsOf(20, 3), broken(4), broken(30)],
  [...recordsOf(16, 1, 4), ...[25, 40].map(task => recordOf(task, 0))],
];
const totals = [a, b].map(records => {
  const table = createFactTable();
  for (const record of records) table.add(record, { start: 0, length: 1 });
  return taskTotals(table);
});
const lines = taskLines([a, b].map(records => ({ rows: records.map(rowOf) })));
const firstSort = { key: 'task', run: 0, descending: false } as const;
const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

test.each([
  ...outcomeNames.map(outcome => ({ ...noFilter, outcome })),
  { ...noFilter, bugType: 'value misuse' },
  { ...noFilter, verdict: 'failed' },
  { ...noFilter, text: 'WORD_1 misuse' },
  { ...noFilter, text: 'sandbox_failed' },
  { ...noFilter, text: 'no such words' },
])('filters tasks on the server as the page does: %o', filter => {
  const page = queryTasks(totals, { filter, sort: firstSort, limit: 1000 });
  expect(idsOf(page.visible)).toEqual(idsOf(sorted(filtered(lines, filter), firstSort)));
  expect(page).toMatchObject({ matching: page.visible.length, total: lines.length });
});

test.each(
  sortKeys.flatMap(key => [0, 1].flatMap(run => [true, false].map(descending => ({ key, run, descending })))),
)('sorts tasks on the server as the page does: %o', sort => {
  const page = queryTasks(totals, { filter: noFilter, sort, limit: 1000 });
  expect(idsOf(page.visible)).toEqual(idsOf(sorted(lines, sort)));
});

test('sends as many tasks as asked for, each with its first samples and all its sums', () => {
  const records = Array.from({ length: 300 }, (_, sample) => ({ ...recordOf(1, sample % 11), sample }));
  const table = createFactTable();
  for (const record of [...records.toReversed(), recordOf(0, 0)]) table.add(record, { start: 0, length: 1 });
  const [, local] = taskLines([{ rows: [recordOf(0, 0), ...records].map(rowOf) }]);
  const ask = (limit: number) =>
    queryTasks([taskTotals(table)], { filter: noFilter, sort: firstSort, limit });
  expect(ask(1).visible.map(({ id }) => id)).toEqual(['words/0']);
  const cell = ask(5).visible[1]?.cells[0];
  expect(cell?.rows.map(({ sample }) => sample)).toEqual(Array.from({ length: 40 }, (_, sample) => sample));
  expect(cell).toMatchObject({
    count: 300,
    solved: local?.cells[0]?.solved,
    judged: 300,
    tokens: local?.cells[0]?.tokens,
  });
  expect(cell?.iters).toBeCloseTo(local?.cells[0]?.iters ?? 0);
});
