import { describe, expect, test } from 'vitest';
import { meanShare, wilson } from '../../lib/report/numbers.ts';
import { defaultKs, passAtK, passAtKs, type TaskRuns } from '../../lib/report/task-runs.ts';

/** By hand from 1 − C(n−c, k) / C(n, k). */
test.each([
  // C(3,1)/C(5,1) = 3/5
  [5, 2, 1, 0.4],
  // C(3,2)/C(5,2) = 3/10
  [5, 2, 2, 0.7],
  // C(3,3)/C(5,3) = 1/10
  [5, 2, 3, 0.9],
  // Only two failed: any three hold a pass.
  [5, 3, 3, 1],
  // C(9,5)/C(10,5) = 126/252
  [10, 1, 5, 0.5],
  // C(197,10)/C(200,10) = (190·189·188)/(200·199·198) = 6751080/7880400
  [200, 3, 10, 0.1433074],
  [4, 0, 4, 0],
  [4, 4, 1, 1],
])('of %i runs %i solved: pass@%i is %f', (runs, solved, k, expected) => {
  expect(passAtK(runs, solved, k)).toBeCloseTo(expected, 7);
});

test('fewer runs than k give no pass@k', () => {
  expect(passAtK(3, 3, 4)).toBeNull();
});

test('tasks have equal weight, and those with too few runs are left out', () => {
  const tasks = [taskOf('a', [0, null, 2, null]), taskOf('b', [null, null, null, null]), taskOf('c', [1])];
  const draft = passAtKs(tasks, [1, 2], 0);
  // Drafts: (1/4 + 0 + 0) / 3; and of two, C(3,2)/C(4,2) = 1/2 missed, so (1/2 + 0) / 2.
  expect(draft.map(({ k, tasks, value }) => [k, tasks, value])).toEqual([
    [1, 3, 1 / 12],
    [2, 2, 0.25],
  ]);
  // Within two iterations: (2/4 + 0 + 1) / 3; C(2,2)/C(4,2) = 1/6 missed, so (5/6 + 0) / 2.
  const [one, two] = passAtKs(tasks, [1, 2], 2);
  expect(one?.value).toBeCloseTo(0.5, 12);
  expect(two?.value).toBeCloseTo(5 / 12, 12);
});

function taskOf(taskId: string, solvedIn: readonly (number | null)[]): TaskRuns {
  const runs = solvedIn.map(of => ({ solvedIn: of, judgedThrough: Number.POSITIVE_INFINITY }));
  return { taskId, bugType: null, runs };
}

test('the usual values of k and the number of samples are reported', () => {
  expect(defaultKs(0)).toEqual([]);
  expect(defaultKs(1)).toEqual([1]);
  expect(defaultKs(5)).toEqual([1, 2, 5]);
  expect(defaultKs(20)).toEqual([1, 2, 5, 10, 20]);
});

describe('the interval of a mean over tasks', () => {
  test('is Wilson’s with one run per task', () => {
    const [of, mean] = [wilson(0.7, 10), meanShare([1, 1, 1, 1, 1, 1, 1, 0, 0, 0], 10)];
    expect(mean?.low).toBeCloseTo(of.low, 9);
    expect(mean?.high).toBeCloseTo(of.high, 9);
  });

  test('is equally wide with ten identical runs per task', () => {
    expect(meanShare([1, 0, 1, 0], 40)).toEqual(meanShare([1, 0, 1, 0], 4));
  });

  test('is narrower if the runs of a task differ, by the variance between tasks', () => {
    // Mean 0.5, variance of the mean (4 · 0.25²) / 4 / 4 = 1/64, so 0.25 · 64 = 16 trials: 8 of 16.
    const share = meanShare([0.25, 0.75, 0.25, 0.75], 40);
    expect(share?.low).toBeCloseTo(wilson(0.5, 16).low, 9);
    expect(share?.high).toBeCloseTo(wilson(0.5, 16).high, 9);
  });

  test('never counts more trials than runs, and at 0 and 1 each task once', () => {
    expect(meanShare([0.5, 0.5], 4)).toEqual(wilson(0.5, 4));
    expect(meanShare([0, 0, 0], 30)).toEqual(wilson(0, 3));
    expect(meanShare([1, 1, 1], 30)).toEqual(wilson(1, 3));
    expect(meanShare([], 0)).toBeNull();
  });
});
