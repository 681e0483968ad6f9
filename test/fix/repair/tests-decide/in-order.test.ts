import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inOrder } from '../../../../lib/fix/repair/tests-decide.ts';
import type { Trial } from '../../../../machines/actors.ts';

const passed: Trial = { outcome: 'passed', assertionsPassed: 1, firstFailing: null, overran: false };
const failed: Trial = { outcome: 'failed', assertionsPassed: 0, firstFailing: 0, overran: false };
const below = (limit: number) => async (item: number) => (item < limit ? passed : failed);
const never = new Promise<never>(() => {});
const { signal } = new AbortController();
const base = { atOnce: 2, signal };

test('ends with the first that passes, in the order of the items and not of their trials', async () => {
  const attempt = async (item: number) => await wait(item === 1 ? 20 : 0).then(() => below(3)(item));
  expect(await inOrder({ ...base, items: [4, 1, 2, 5], attempt })).toEqual([failed, passed]);
  expect(await inOrder({ ...base, items: [5, 4], attempt })).toEqual([failed, failed]);
  expect(await inOrder({ ...base, items: [], attempt })).toEqual([]);
});

test('does not wait for attempts that cannot change the result', async () => {
  const attempt = async (item: number) => (item === 2 ? await never : passed);
  expect(await inOrder({ ...base, items: [1, 2], attempt })).toEqual([passed]);
});

test('after an abort, the first that passed wins; without one it rejects', async () => {
  const over = new AbortController();
  const reject = new Promise<never>((_, fail) =>
    over.signal.addEventListener('abort', () => fail(new Error('over'))),
  );
  reject.catch(() => {});
  const attempt = (first: Trial) => async (item: number) => (item === 1 ? first : await reject);
  const given = { ...base, items: [2, 1], signal: over.signal };
  const found = inOrder({ ...given, attempt: attempt(passed) });
  const none = inOrder({ ...given, attempt: attempt(failed) });
  const rejected = expect(none).rejects.toThrow('over');
  await wait(1);
  over.abort();
  expect(await found).toEqual([{ ...failed, overran: true }, passed]);
  await rejected;
});
