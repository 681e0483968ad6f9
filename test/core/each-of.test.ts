import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachOf } from '../../lib/core/async.ts';

test('items begin in order, so many at once as there are workers', async () => {
  const begun: number[] = [];
  let [running, most] = [0, 0];
  await eachOf([1, 2, 3, 4, 5], 2, async item => {
    begun.push(item);
    most = Math.max(most, ++running);
    await pause(1);
    running--;
  });
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test('a failure aborts those in progress, lets no other begin, and keeps its reason', async () => {
  const [begun, aborted]: [number[], unknown[]] = [[], []];
  const failing = eachOf([1, 2, 3, 4], 2, async (item, signal) => {
    begun.push(item);
    if (item === 2) throw new Error('two');
    await pause(60_000, undefined, { signal }).catch(() => aborted.push(signal.reason));
    signal.throwIfAborted();
  });
  await expect(failing).rejects.toThrow('two');
  expect(begun).toEqual([1, 2]);
  expect(aborted).toEqual([new Error('two')]);
});

test('nothing begins if the signal is already aborted', async () => {
  const begun: number[] = [];
  const act = async (item: number) => void begun.push(item);
  await expect(eachOf([1], 1, act, AbortSignal.abort('over'))).rejects.toBe('over');
  expect(begun).toEqual([]);
});
