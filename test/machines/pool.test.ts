import { expect, test } from 'vitest';
import type { Candidate, Ranking, Trial } from '../../machines/actors.ts';
import {
  bestSample,
  choosable,
  comparable,
  emptyPool,
  failuresIn,
  type Pool,
  poolOf,
  selectionOf,
  unchecked,
  unfinished,
  untried,
  withChoice,
  withClosest,
  withComparison,
  withPairs,
  withRanking,
  withSample,
  withTrials,
} from '../../machines/pool.ts';

const passed: Trial = { outcome: 'passed', assertionsPassed: 2, firstFailing: null, overran: false };
const failed: Trial = { outcome: 'failed', assertionsPassed: 1, firstFailing: 1, overran: false };
const notRun: Trial = { outcome: 'not run', assertionsPassed: 0, firstFailing: null, overran: false };
const time = { limit: 1, spent: 0, overruns: 0, skipsFirst: false };

const edits = (codes: string): Candidate[] =>
  [...codes].map((code, at) => ({ code, origin: { kind: 'edit', rank: at + 1, of: codes.length } }));

/** Candidates a, b, c, … in this order, with these trials. */
function poolWith(trials: readonly (Trial | null)[], changed: Partial<Pool> = {}): Pool {
  const candidates = edits('abcdefgh'.slice(0, trials.length));
  return { ...emptyPool, candidates, trials, order: trials.map((_, at) => at), ...changed };
}

test('candidates are run up to the next that passes and was not proposed', () => {
  const pool = poolWith([failed, null, passed, null, passed]);
  expect(untried(pool)).toEqual([1]);
  expect(untried({ ...pool, taken: [2] })).toEqual([1, 3]);
  expect(untried({ ...pool, order: [3, 0, 1] })).toEqual([3, 1]);
  expect(untried(poolWith([failed, passed]))).toEqual([]);
  expect(untried(poolWith([passed, null]))).toEqual([1]);
});

test('candidates that pass are chosen from, up to the first that was not run', () => {
  const pool = poolWith([failed, null, passed, passed], { order: [2, 0, 1, 3] });
  expect(choosable(pool)).toEqual([2]);
  expect(choosable({ ...pool, taken: [2] })).toEqual([]);
  expect(choosable({ ...pool, taken: [1] })).toEqual([2, 3]);
  expect(choosable({ ...pool, trials: [failed, notRun, passed, passed] })).toEqual([2, 3]);
  expect(choosable({ ...pool, closest: [0, 2], taken: [2] })).toEqual([0]);
});

test('a screening says of which candidates it ran whether they pass, and whether its time ended', () => {
  const pool = poolWith([null, null, null, null], { done: ['stopped', 'ranked'], passesUnchanged: true });
  const screening = { checks: [], isEmpty: false, time };
  const short = withTrials(pool, { asked: [3, 1], isAll: false }, { ...screening, trials: [failed] });
  expect(short).toMatchObject({ trials: [null, null, null, failed], passesUnchanged: true });
  expect(short.done).toEqual(['ranked', 'stopped', 'screened']);
  const upToFirst = withTrials(pool, { asked: [3, 1], isAll: false }, { ...screening, trials: [passed] });
  expect(upToFirst.done).toEqual(['ranked', 'screened']);
  const all = withTrials(pool, { asked: [3, 1], isAll: true }, { ...screening, trials: [failed] });
  expect(all.done).toEqual(['ranked', 'screened']);
  const whole = withTrials(pool, { asked: [3, 1], isAll: false }, { ...screening, trials: [failed, failed] });
  expect(whole).toMatchObject({ trials: [null, failed, null, failed], done: ['ranked', 'screened'] });
  const empty = { ...screening, trials: [], isEmpty: true, passesUnchanged: false };
  expect(withTrials(pool, { asked: [], isAll: true }, empty)).toMatchObject({
    isUnchecked: true,
    passesUnchanged: false,
  });
});

test('a candidate that failed is not run again; one that passed only where no more is known', () => {
  const pool = poolWith([failed, passed, notRun, null]);
  expect(failuresIn(pool, false)).toEqual({ a: failed });
  expect(failuresIn(pool, true)).toEqual({ a: failed, b: passed });
  const sample = withSample(poolWith([failed]), 'answer');
  expect(failuresIn({ ...sample, trials: [null, failed] }, false)).toEqual({ answer: failed });
  expect(sample).toMatchObject({ trials: [failed, null], order: [0, 1] });
  expect(sample.candidates[1]?.origin).toEqual({ kind: 'sample', rank: 2, of: 2 });
  const again = poolOf({ candidates: edits('ba'), unusable: 3 }, { a: failed }, false);
  expect(again).toMatchObject({ trials: [null, failed], order: [0, 1], unusable: 3, isUnchecked: false });
  expect(poolOf({ candidates: edits('ba'), unusable: 0 }, { a: failed }, true).trials).toEqual([
    unchecked,
    failed,
  ]);
});

test('a ranking orders candidates that did not fail, or the closest; its cost is added', () => {
  const prompt: Ranking['prompt'] = [{ role: 'user', content: 'p' }];
  const ranking = { order: [1, 0], temperature: 0.5, prompt, time };
  const tokens = { prompt: 10, completion: 1 };
  const first = withRanking(poolWith([null, failed, passed]), { ...ranking, tokens });
  expect(first).toMatchObject({ order: [2, 0], closest: null, done: ['ranked'], temperature: 0.5, tokens });
  const none = { ...ranking, prompt: [], temperature: null, tokens: { prompt: 5, completion: 2 } };
  const second = withRanking({ ...first, closest: [1, 2] }, none);
  expect(second).toMatchObject({ order: [2, 0], closest: [2, 1], temperature: 0.5, prompt });
  expect(second.tokens).toEqual({ prompt: 15, completion: 3 });
});

test('pairs of edits come after the others, and are not run yet', () => {
  const pool = withPairs(poolWith([failed, failed], { order: [1, 0] }), { pairs: edits('xy') });
  expect(pool.candidates.map(({ code }) => code)).toEqual(['a', 'b', 'x', 'y']);
  expect(pool).toMatchObject({
    trials: [failed, failed, null, null],
    order: [1, 0, 2, 3],
    done: ['combined'],
  });
});

test('candidates are compared once with programs that failed, if one of these passes all that is known', () => {
  const pool = poolWith([passed, passed, passed, failed], { done: ['screened'] });
  expect(comparable(pool, ['b'])).toEqual([0, 2]);
  expect(comparable(pool, ['d'])).toEqual([]);
  expect(comparable({ ...pool, passesUnchanged: true }, [])).toEqual([0, 1, 2]);
  expect(comparable({ ...pool, taken: [0] }, ['b'])).toEqual([]);
  for (const changed of [
    { done: [] },
    { done: ['screened', 'compared'] },
    { closest: [0, 2] },
    { isUnchecked: true },
  ])
    expect(comparable({ ...pool, ...(changed as Partial<Pool>) }, ['b'])).toEqual([]);
  const many = Array.from({ length: 40 }, () => passed);
  const large = {
    ...emptyPool,
    candidates: edits('x'.repeat(40)),
    trials: many,
    order: many.map((_, at) => at),
  };
  expect(comparable({ ...large, done: ['screened'], passesUnchanged: true }, [])).toHaveLength(30);
  const compared = withComparison(pool, [0, 2], { alike: [true, false] });
  expect(compared).toMatchObject({ order: [1, 2, 3, 0], done: ['screened', 'compared'] });
});

test('what was looked at is not looked at again; what passes without being new is counted', () => {
  const pool = poolWith([passed, passed, passed, passed], { taken: [0], barred: 1 });
  expect(withChoice(pool, [3, 1, 2], 1)).toMatchObject({ taken: [0, 3, 1], barred: 2 });
  expect(withChoice(pool, [3, 1, 2], null)).toMatchObject({ taken: [0, 3, 1, 2], barred: 4 });
  expect(withChoice({ ...pool, closest: [3, 1] }, [3, 1], 1)).toMatchObject({ taken: [0, 3, 1], barred: 1 });
});

test('if none passes all, a candidate that was not run comes first where the model ranks, otherwise last', () => {
  const pool = poolWith([failed, null, unfinished], { done: ['ranked', 'screened'], taken: [0] });
  expect(withClosest(pool, 2)).toMatchObject({ closest: [1, 0], done: ['screened'] });
  expect(withClosest({ ...pool, taken: [] }, 1)).toMatchObject({
    closest: [0],
    done: ['screened', 'ranked'],
  });
  expect(withClosest(pool, 1).closest).toEqual([1]);
  expect(withClosest(poolWith([failed, failed]), 3).closest).toEqual([0, 1]);
});

test('the best sample passes the most checks; the first, if none can be run', () => {
  expect(bestSample({ ...emptyPool, trials: [notRun, failed, passed, passed] })).toBe(2);
  expect(bestSample({ ...emptyPool, trials: [null, notRun, { ...failed, assertionsPassed: 0 }] })).toBe(2);
  expect(bestSample({ ...emptyPool, trials: [notRun, notRun] })).toBe(0);
  expect(bestSample(emptyPool)).toBe(0);
});

test('the record says how many candidates each check rejected and how many were left out', () => {
  const check = { source: 'docstring', code: 'assert f(1) == 2' } as const;
  const trials = [
    passed,
    failed,
    { ...failed, firstFailing: 0 },
    { ...failed, firstFailing: 9 },
    notRun,
    null,
  ];
  const pool = poolWith(trials, { checks: [check, check], unusable: 1, barred: 2 });
  expect(selectionOf(pool, 0, true)).toEqual({
    origin: { kind: 'edit', rank: 1, of: 6 },
    ranked: false,
    left_out: 4,
    checks: [
      { ...check, rejected: 1 },
      { ...check, rejected: 2 },
    ],
    agrees: true,
    time_up: false,
  });
  expect(selectionOf(pool, 1, true)).toMatchObject({ agrees: false, time_up: true });
  expect(selectionOf(pool, 1, false)).toMatchObject({ agrees: false, time_up: false });
  expect(selectionOf({ ...pool, closest: [0] }, 0, false)).toMatchObject({ agrees: false });
  expect(selectionOf({ ...pool, prompt: [{ role: 'user', content: 'p' }] }, 0, false)).toMatchObject({
    ranked: true,
  });
  const sampled = withSample(withSample(pool, 'one'), 'two');
  expect(selectionOf(sampled, 6, false)?.origin).toEqual({ kind: 'sample', rank: 7, of: 2 });
  expect(selectionOf(pool, 6, false)).toBeNull();
});

test('where no candidate passes all, those that pass more come first', () => {
  const candidates = ['a', 'b', 'c', 'd'].map((code, at) => ({
    code,
    origin: { kind: 'edit' as const, rank: at + 1, of: 4 },
  }));
  const trials = [1, 3, 0, 3].map(assertionsPassed => ({
    outcome: 'failed' as const,
    assertionsPassed,
    firstFailing: 0,
    overran: false,
  }));
  const pool = { ...emptyPool, candidates, trials, order: [0, 1, 2, 3] };
  expect(withClosest(pool, 3).closest).toEqual([1, 3, 0]);
  expect(withClosest(pool, 1).closest).toEqual([1, 3]);
});

test('candidates that do not end are left out, unless no other is left', () => {
  const candidates = ['a', 'b', 'c'].map((code, at) => ({
    code,
    origin: { kind: 'edit' as const, rank: at + 1, of: 3 },
  }));
  const trials = [true, true, false].map(overran => ({
    outcome: 'failed' as const,
    assertionsPassed: overran ? 2 : 1,
    firstFailing: 0,
    overran,
  }));
  const pool = { ...emptyPool, candidates, trials, order: [0, 1, 2] };
  expect(withClosest(pool, 1).closest).toEqual([2]);
  expect(withClosest({ ...pool, taken: [2] }, 1).closest).toEqual([0, 1]);
});
