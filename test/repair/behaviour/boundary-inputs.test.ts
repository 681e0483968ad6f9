import { expect, test } from 'vitest';
import { boundaryInputs } from '../../../lib/repair/behaviour/boundary-inputs.ts';

test('numbers are at boundaries and next to them, next to those of calls, negative, zero and equal', () => {
  const inputs = boundaryInputs([[30, 7]], [18, -1], 100);
  const [first, second] = [0, 1].map(at => inputs.filter(each => each[1 - at] === [30, 7][1 - at]));
  expect(first?.map(([value]) => value)).toEqual([18, 17, 19, -1, -2, 0, 29, 31, -30, 7]);
  expect(second?.map(each => each[1])).toEqual([18, 17, 19, -1, -2, 0, 6, 8, -7, 30]);
});

test('numbers with fractions stay such numbers', () => {
  const inputs = boundaryInputs([[['float', '0.5']]], [2.5], 100);
  expect(inputs).toContainEqual([['float', '2.5']]);
  expect(inputs).toContainEqual([['float', '0.0']]);
  expect(boundaryInputs([[1]], [2.5], 100)).toEqual([[0], [2], [-1]]);
});

test('lists and texts are empty, have one item, and as many as a boundary says', () => {
  const lists = boundaryInputs([[['list', ['a', 'b']]]], [3], 100);
  expect(lists).toEqual([
    [['list', []]],
    [['list', ['a']]],
    [['list', ['a', 'b', 'a']]],
    [['list', ['a', 'b', 'a', 'b']]],
    [['list', ['a', 'a']]],
  ]);
  expect(boundaryInputs([['ab']], [3], 100)).toEqual([[''], ['a'], ['aba'], ['abab']]);
  expect(boundaryInputs([['']], [3], 100)).toEqual([]);
});

test('items of a list are at boundaries, and equal to each other', () => {
  const lists = boundaryInputs([[['list', [4, 9]]]], [18], 100).map(([value]) => value);
  for (const items of [
    [18, 9],
    [4, 17],
    [9, 9],
    [4, 4],
    [4, -9],
  ])
    expect(lists).toContainEqual(['list', items]);
});

test('sets repeat no item, and other values are left', () => {
  expect(boundaryInputs([[['set', [1, 2]]]], [2], 100)).toContainEqual([['set', [2]]]);
  expect(boundaryInputs([[null, true]], [2], 100)).toEqual([]);
});

test('of many calls the shortest are varied, up to the limit', () => {
  const calls = Array.from({ length: 20 }, (_, at) => ['x'.repeat(at + 1), 1000 + at]);
  const inputs = boundaryInputs(calls, [5], 8);
  expect(inputs).toHaveLength(8);
  expect(inputs.every(([text]) => String(text).length <= 6)).toBe(true);
});
