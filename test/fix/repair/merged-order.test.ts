import { expect, test } from 'vitest';
import { mergedOrder } from '../../../lib/fix/repair/merged-order.ts';

test('the same order twice stays', () => {
  expect(mergedOrder(5, item => item)).toEqual([0, 1, 2, 3, 4]);
});

test('what either order puts first comes early, and what both put last comes last', () => {
  const others = [299, 250, 298, 0, 200];
  expect(mergedOrder(5, item => others[item] ?? 0).slice(0, 2)).toEqual([3, 0]);
  const order = mergedOrder(300, item => (item === 299 ? 0 : item + 1));
  expect(order.indexOf(299)).toBeLessThan(60);
  expect(order.at(-1)).toBe(298);
});
