import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../lib/core/random.ts';
import { chooseToken, type Sampling } from '../../../lib/model/generate/choose-token.ts';

const logits = Float32Array.of(1, 3, 2, 3, -1);

test('greedy takes the largest logit, the first among equals, and uses no randomness', () => {
  const undrawn = () => {
    throw new Error('drawn');
  };
  expect(chooseToken(logits, sampling({ temperature: 0 }), undrawn)).toBe(1);
});

test('logits that are NaN choose nothing', () => {
  expect(chooseToken(Float32Array.of(1, Number.NaN, 2), sampling({}), () => 0)).toBe(-1);
  expect(chooseToken(Float32Array.of(1, Number.POSITIVE_INFINITY), sampling({}), () => 0)).toBe(-1);
  expect(chooseToken(Float32Array.of(-Infinity, -Infinity), sampling({}), () => 0)).toBe(-1);
  expect(chooseToken(Float32Array.of(-Infinity, 0), sampling({}), () => 0.99)).toBe(1);
});

test.each([0.5, 1, 2])('frequencies match softmax at temperature %d', temperature => {
  const weights = Array.from(logits, logit => Math.exp(logit / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const counts = draws(sampling({ temperature }), 20_000);
  for (const [id, weight] of weights.entries()) {
    const chance = weight / sum;
    // Five standard deviations.
    expect(Math.abs(counts[id]! / 20_000 - chance)).toBeLessThan(5 * Math.sqrt(chance / 20_000) + 1e-9);
  }
});

test('top-k keeps the k likeliest', () => {
  expect(kept(sampling({ topK: 1 }))).toEqual([1]);
  expect(kept(sampling({ topK: 2 }))).toEqual([1, 3]);
  expect(kept(sampling({ topK: 3 }))).toEqual([1, 2, 3]);
  expect(kept(sampling({ topK: 99 }))).toEqual([0, 1, 2, 3, 4]);
});

test('top-p keeps the smallest set with the mass, at least one token', () => {
  // The probabilities are 0.0508, 0.3752, 0.1380, 0.3752 and 0.0069; half of the mass needs both equals.
  expect(kept(sampling({ topP: 0.01 }))).toEqual([1]);
  expect(kept(sampling({ topP: 0.5 }))).toEqual([1, 3]);
  expect(kept(sampling({ topP: 0.8 }))).toEqual([1, 2, 3]);
  // Of the tokens that top-k kept, not of all.
  expect(kept(sampling({ topK: 3, topP: 0.85 }))).toEqual([1, 2, 3]);
  expect(kept(sampling({ topK: 3, topP: 0.84 }))).toEqual([1, 3]);
});

test('the same seed gives the same numbers, and other seeds others, beyond 32 bits too', () => {
  const first = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
  expect(first(7)).toEqual(first(7));
  const seeds = [0, 1, 2, 7, 2 ** 32, 2 ** 32 + 1, 2 ** 40 + 7];
  expect(new Set(seeds.map(seed => first(seed).join())).size).toBe(seeds.length);
});

test('the numbers are in [0, 1) and evenly distributed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 }), seed => {
      const numbers = Array.from({ length: 1000 }, seededRandom(seed));
      expect(numbers.every(number => number >= 0 && number < 1)).toBe(true);
      const mean = numbers.reduce((sum, number) => sum + number, 0) / 1000;
      expect(Math.abs(mean - 0.5)).toBeLessThan(0.06);
    }),
  );
});

function sampling(changes: Partial<Sampling>): Sampling {
  return { temperature: 1, topP: 1, topK: 0, ...changes };
}

function draws(options: Sampling, count: number): number[] {
  const random = seededRandom(3);
  const counts = Array.from(logits, () => 0);
  for (let draw = 0; draw < count; draw++) {
    const id = chooseToken(logits, options, random);
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

function kept(options: Sampling): number[] {
  return [...draws(options, 4000).entries()].filter(([, count]) => count > 0).map(([id]) => id);
}
