import { describe, expect, test } from 'vitest';
import { compareRecords, comparisonText } from '../../lib/report/comparison.ts';
import { mcnemar, pairedDifference } from '../../lib/report/paired.ts';
import { recordWith } from '../run/fakes.ts';

/** By hand: twice the tail of a binomial of a fair coin. */
test.each([
  [0, 0, 1],
  [0, 1, 1],
  // 2 · 1/2⁵
  [0, 5, 0.0625],
  // 2 · (1 + 10) / 2¹⁰
  [9, 1, 0.021484375],
  // 2 · (1 + 12 + 66) / 2¹²
  [2, 10, 0.03857421875],
  [4, 4, 1],
])('McNemar of %i against %i is %f', (a, b, p) => {
  expect(mcnemar(a, b)).toBeCloseTo(p, 12);
});

test('McNemar’s test works for counts where 2 to their power overflows', () => {
  // Two thousand tosses: mean 1000, standard deviation √500; 45 below the mean with the half of continuity, z = 1.990.
  expect(mcnemar(955, 1045)).toBeCloseTo(0.0466, 3);
});

/** By hand from Bonett and Price: p12 = (f12 + 1)/(n + 2), p21 likewise, ± 1.959964·√((p12 + p21 − (p12 − p21)²)/(n + 2)). */
describe('the interval of a paired difference', () => {
  test('the interval of 18 tasks with five wins and one loss', () => {
    const share = pairedDifference([...Array(5).fill(1), -1, ...Array(12).fill(0)]);
    expect(share?.value).toBeCloseTo(4 / 18, 12);
    // p12 = 6/20, p21 = 2/20: 0.2 ± 1.959964·√((0.4 − 0.04)/20) = 0.2 ± 0.262956
    expect(share?.low).toBeCloseTo(-0.062956, 5);
    expect(share?.high).toBeCloseTo(0.462956, 5);
  });

  test('is not empty without differing tasks', () => {
    // ± 1.959964·√((2/10)/10)
    expect(pairedDifference(Array(8).fill(0))).toEqual({
      value: 0,
      low: expect.closeTo(-0.277181, 5),
      high: expect.closeTo(0.277181, 5),
    });
    expect(pairedDifference([])).toBeNull();
  });
});

test('runs are compared on the tasks that both judged', () => {
  const record = (task_id: string, passed: boolean | null, iters = 0, sample = 0) =>
    recordWith({ task_id, index: task_id.charCodeAt(0), sample, passed, iters });
  const a = [
    record('a', true),
    record('b', true, 2),
    record('c', false, 3),
    record('d', true),
    record('e', null),
  ];
  const b = [
    record('a', true, 1),
    record('b', false, 3),
    record('c', true, 3),
    record('e', true),
    record('f', true),
  ];
  const comparison = compareRecords(a, b);
  expect(comparison).toMatchObject({
    only_in_a: ['d'],
    only_in_b: ['e', 'f'],
    draft: { tasks: 3, a_only: ['a'], b_only: [], difference: { value: -1 / 3 }, mcnemar_p: 1 },
    whole: { tasks: 3, a_only: ['b'], b_only: ['c'], difference: { value: 0 }, a: { value: 2 / 3 } },
  });
  expect(comparisonText(comparison)).toMatchInlineSnapshot(`
    "pass@1 (draft), 3 tasks              A 33.3% (6.1–79.2%), B 0.0% (0.0–56.1%)
      B − A                              -33.3% (95% interval -85.6% to +45.6%)
      tasks apart                        1 for A, 0 for B, McNemar p 1.0000
    solved, with test feedback, 3 tasks  A 66.7% (20.8–93.9%), B 66.7% (20.8–93.9%)
      B − A                              0.0% (95% interval -78.4% to +78.4%)
      tasks apart                        1 for A, 1 for B, McNemar p 1.0000
    only A solved                        b
    only B solved                        c
    judged only in A                     d
    judged only in B                     e, f
    "
  `);
});

test('a task with several samples counts for the run that solved it more often', () => {
  const runs = (...passed: boolean[]) => passed.map((of, sample) => recordWith({ sample, passed: of }));
  const { whole } = compareRecords(runs(true, false, false, false), runs(true, true, false, true));
  expect(whole).toMatchObject({ a_only: [], b_only: ['set/0'], difference: { value: 0.5 } });
});
