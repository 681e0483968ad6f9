import { expect, test } from 'vitest';
import type { Robust } from '../../lib/core/record.ts';
import { compareRecords, comparisonText } from '../../lib/report/comparison.ts';
import { runPage } from '../../lib/report/pages/run-page.ts';
import { summarise } from '../../lib/report/summary.ts';
import { summaryText } from '../../lib/report/summary-text.ts';
import { recordWith } from '../run/fakes.ts';
import { manifestWith } from './manifest.ts';

const record = (task_id: string, robust?: Robust, passed = true) =>
  recordWith({ task_id, index: task_id.charCodeAt(0), passed, robust });

const alike = { tried: 1000, different: 0 };
const records = [
  record('a', alike),
  record('b', alike),
  record('c', { tried: 1000, different: 20 }),
  record('d', { tried: 1000, different: 501 }),
  record('e', { tried: 0, different: 0, unchecked: 'its results vary' }),
  record('f', undefined, false),
];

test('the summary says how many solutions behave like the reference, beside how many tasks are solved', () => {
  const { solved, robust } = summarise(records, 3);
  expect(solved).toBe(5);
  expect(robust).toEqual({
    compared: 4,
    alike: 2,
    value: 0.5,
    // Wilson's interval of 2 in 4.
    low: expect.closeTo(0.150036, 5),
    high: expect.closeTo(0.849964, 5),
    differ_on_most: 1,
    not_compared: ['e'],
  });
  const text = summaryText(summarise(records, 3));
  expect(text).toMatch(
    /behave like the reference +2 of 4 on all generated inputs, 50\.0% \(95% interval 15\.0–85\.0%\); not compared: e\n/,
  );
  expect(text).toMatch(/differ on most inputs +1, although they pass the tests\n/);
});

test('a summary of a run without comparisons does not mention them', () => {
  const summary = summarise([record('a')], 3);
  expect(summary.robust).toBeNull();
  expect(summaryText(summary)).not.toContain('reference');
});

test('several samples of a task are one task to the interval', () => {
  const samples = [0, 1].map(sample => recordWith({ task_id: 'a', sample, passed: true, robust: alike }));
  expect(summarise(samples, 3).robust).toMatchObject({ compared: 2, low: expect.closeTo(0.206549, 5) });
});

test('a report says the same', () => {
  const { warnings } = runPage(
    { path: 'r.jsonl', records, manifest: manifestWith(), inProgress: false },
    'light',
  );
  expect(warnings).toContain(
    'Same results as the reference on all generated inputs: 2 of 4 solutions, 50.0% (95% interval 15.0–85.0%).',
  );
});

test('a comparison gives the figure of each run on the tasks that both judged', () => {
  const one = comparisonText(compareRecords(records.slice(0, 3), records));
  expect(one).toMatch(/behave like the reference +A 2 of 3, 66\.7% \(.*\), B 2 of 3, 66\.7%/);
  const other = comparisonText(compareRecords([record('a')], records));
  expect(other).toMatch(/behave like the reference +A not compared, B 1 of 1/);
  expect(comparisonText(compareRecords([record('a')], [record('a')]))).not.toContain('behave');
});
