import { expect, test } from 'vitest';
import { emptyPool, withClosest } from '../../machines/pool.ts';

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
