import { expect, test } from 'vitest';
import { temperatureAt } from '../../machines/context.ts';

function first(count: number, options: Parameters<typeof temperatureAt>[1]): number[] {
  return Array.from({ length: count }, (_, iteration) => temperatureAt(iteration, options));
}

test('ramp starts at the base and rises by a step up to the cap', () => {
  expect(first(6, { schedule: 'ramp', base: 0, step: 0.3, cap: 1 })).toEqual([0, 0.3, 0.6, 0.9, 1, 1]);
});

test('ramp keeps a base above the cap', () => {
  expect(first(3, { schedule: 'ramp', base: 1.2, step: 0.2, cap: 0.8 })).toEqual([1.2, 1.2, 1.2]);
});

test('anneal starts warm, cools after the first failure and again after the third', () => {
  expect(first(6, { schedule: 'anneal', base: 0.7, step: 0.2, cap: 1 })).toEqual([
    0.7, 0.5, 0.5, 0.3, 0.3, 0.3,
  ]);
});

test('anneal never falls below zero', () => {
  expect(first(4, { schedule: 'anneal', base: 0.3, step: 0.2, cap: 1 })).toEqual([0.3, 0.1, 0.1, 0]);
});

test('constant stays', () => {
  expect(first(3, { schedule: 'constant', base: 0.4, step: 0.2, cap: 1 })).toEqual([0.4, 0.4, 0.4]);
});
