import { expect, test } from 'vitest';
import { emptyPool, withClosest, withRanking } from '../../machines/pool.ts';

test('where no candidate passes all, those that pass more come first', () => {
  const candidates = ['a', 'b', 'c', 'd'].map((text, at) => ({
    text,
    origin: { kind: 'edit' as const, rank: at + 1, of: 4 },
  }));
  const trials = [1, 3, 0, 3].map(assertionsPassed => ({ assertionsPassed, missed: 0, overran: false }));
  const pool = { ...emptyPool, candidates, trials, order: [0, 1, 2, 3] };
  expect(withClosest(pool, 3).closest).toEqual([1, 3, 0]);
  expect(withClosest(pool, 1).closest).toEqual([1, 3]);
});

test('ranked candidates that failed before count as tried', () => {
  const candidates = ['a', 'b', 'c', 'd'].map((text, at) => ({
    text,
    origin: { kind: 'edit' as const, rank: at + 1, of: 4 },
  }));
  const trial = { assertionsPassed: 0, overran: false };
  const trials = [null, { ...trial, missed: 0 }, null, { ...trial, missed: -1 }];
  const pool = { ...emptyPool, candidates, trials, order: [0, 1, 2, 3] };
  const tokens = { prompt: 0, completion: 0 };
  const time = { limit: 1, spent: 0, overruns: 0, skipsFirst: false };
  const ranked = withRanking(pool, { order: [1, 2, 0, 3], prompt: [], tokens, time }, 2);
  expect(ranked.order).toEqual([2, 3]);
});
