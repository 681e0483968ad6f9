import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bestFirst } from '../../../lib/fix/repair/best-first.ts';

const base = { atOnce: 2, count: Number.POSITIVE_INFINITY, isOver: () => false, patience: 60_000 };
const below = (limit: number) => async (item: number) => (item < limit ? `ok ${item}` : null);

test('the first success in the better order wins, regardless of the order of trial', async () => {
  const better = wait(20).then(() => [3, 1, 2, 0]);
  const found = await bestFirst({ ...base, items: [0, 1, 2, 3], better, attempt: below(3) });
  expect(found).toBe('ok 1');
});

test('without a better order, the first success wins', async () => {
  const better = Promise.resolve(null);
  expect(await bestFirst({ ...base, items: [5, 4, 1, 0], better, attempt: below(3) })).toBe('ok 1');
  expect(await bestFirst({ ...base, items: [5], better, attempt: below(3) })).toBeNull();
});

test('does not wait forever for an order', async () => {
  const better = new Promise<null>(() => {});
  const found = await bestFirst({ ...base, items: [5, 1], better, attempt: below(3), patience: 1 });
  expect(found).toBe('ok 1');
});

test('does not wait for attempts that cannot change the result', async () => {
  const never = new Promise<null>(() => {});
  const attempt = async (item: number) => (item === 2 ? await never : `ok ${item}`);
  const better = Promise.resolve([1, 2]);
  expect(await bestFirst({ ...base, items: [2, 1], better, attempt })).toBe('ok 1');
});
