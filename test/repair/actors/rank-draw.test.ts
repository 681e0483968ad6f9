import { expect, test } from 'vitest';
import { drawnOrder } from '../../../lib/repair/propose/propose.ts';

const shares = [0.5, 0.3, 0.15, 0.05];
const logLikelihoods = shares.map(Math.log);

test('at temperature 0 the likeliest come first, whatever the seed; equal ones keep their order', () => {
  expect(drawnOrder([-3, -1, -Infinity, -1, -2], { temperature: 0, seed: 1 })).toEqual([1, 3, 4, 0, 2]);
  expect(drawnOrder([-3, -1, -Infinity, -1, -2], { temperature: 0, seed: 2 })).toEqual([1, 3, 4, 0, 2]);
});

test.each([0.5, 1, 2])('each is drawn first with its likelihood to the power of 1/T, T = %d', temperature => {
  const draws = 20_000;
  const counts = shares.map(() => 0);
  for (let seed = 0; seed < draws; seed++) {
    const [first = 0] = drawnOrder(logLikelihoods, { temperature, seed });
    counts[first] = (counts[first] ?? 0) + 1;
  }
  const powers = shares.map(share => share ** (1 / temperature));
  const sum = powers.reduce((a, b) => a + b);
  for (const [at, power] of powers.entries()) {
    expect((counts[at] ?? 0) / draws).toBeCloseTo(power / sum, 1.6);
  }
});

test('the rest is drawn without replacement, and the same seed gives the same order', () => {
  const order = drawnOrder(logLikelihoods, { temperature: 1, seed: 7 });
  expect(order.toSorted()).toEqual([0, 1, 2, 3]);
  expect(drawnOrder(logLikelihoods, { temperature: 1, seed: 7 })).toEqual(order);
});

test('candidates without a likelihood are never drawn before others, and keep their order', () => {
  for (let seed = 0; seed < 50; seed++) {
    expect(drawnOrder([-Infinity, -9, -Infinity, 0], { temperature: 2, seed }).slice(2)).toEqual([0, 2]);
  }
});
