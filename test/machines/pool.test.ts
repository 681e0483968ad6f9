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
