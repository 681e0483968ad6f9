import { expect, test } from 'vitest';
import { readOutcome, sameOutcome, sameValue, saysNothing } from '../../../lib/repair/behaviour/outcome.ts';
import type { Value } from '../../../lib/repair/behaviour/value.ts';

const python = { language: 'python', tolerance: 0 } as const;
const js = { language: 'js', tolerance: 0 } as const;
const float = (text: string): Value => ['float', text];

test.each<[string, Value, Value, boolean]>([
  ['equal lists', ['list', [1, 'a']], ['list', [1, 'a']], true],
  ['a list and a tuple', ['list', [1]], ['tuple', [1]], false],
  ['an integer and a float', 1, float('1.0'), true],
  ['True and 1', true, 1, true],
  ['None and False', null, false, false],
  ['one more item', ['list', [1]], ['list', [1, 2]], false],
  ['large integers', ['int', '90071992547409931'], ['int', '90071992547409932'], false],
  [
    'dictionaries in another order',
    [
      'dict',
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    [
      'dict',
      [
        ['b', 2],
        ['a', 1],
      ],
    ],
    true,
  ],
  ['dictionaries with another value', ['dict', [['a', 1]]], ['dict', [['a', 2]]], false],
  ['a set and a frozen one', ['set', [1, 2]], ['frozenset', [2, 1]], true],
  ['one rounding', float('0.3'), float('0.30000000000000004'), true],
  ['more than rounding', float('0.3'), float('0.3001'), false],
  ['two NaN', float('nan'), float('nan'), true],
  ['NaN and a number', float('nan'), float('1.0'), false],
  ['infinities', float('inf'), float('-inf'), false],
])('Python values are compared: %s', (_, a, b, expected) => {
  expect(sameValue(a, b, python)).toBe(expected);
  expect(sameValue(b, a, python)).toBe(expected);
});

test('truth values are no numbers in JavaScript', () => {
  expect(sameValue(true, 1, js)).toBe(false);
  expect(sameValue(['undefined'], null, js)).toBe(false);
  expect(sameValue(['object', [['a', 1]]], ['object', [['a', 1]]], js)).toBe(true);
});

test('numbers are equal within the tolerance of the tests', () => {
  expect(sameValue(float('0.5'), float('0.5000004'), { ...python, tolerance: 1e-6 })).toBe(true);
  expect(sameValue(['list', [float('0.5')]], ['list', [float('0.51')]], { ...python, tolerance: 1e-6 })).toBe(
    false,
  );
});

test('calls did the same if values, classes of exceptions and changes of arguments are equal', () => {
  const returned = { value: 1, steps: 3 };
  expect(sameOutcome(returned, { value: 1, steps: 9 }, python)).toBe(true);
  expect(sameOutcome(returned, { raised: 'ValueError', steps: 3 }, python)).toBe(false);
  expect(sameOutcome({ raised: 'KeyError', steps: 0 }, { raised: 'ValueError', steps: 0 }, python)).toBe(
    false,
  );
  expect(sameOutcome({ raised: 'KeyError', steps: 0 }, { raised: 'KeyError', steps: 1 }, python)).toBe(true);
  expect(sameOutcome(returned, { ...returned, changed: [['list', []]] }, python)).toBe(false);
});

test('reads what a sandbox prints, and nothing else', () => {
  expect(readOutcome('{"value":["list",[1,["float","0.5"]]],"steps":4}')).toEqual({
    value: ['list', [1, ['float', '0.5']]],
    steps: 4,
  });
  expect(readOutcome('{"raised":"IndexError","changed":[1],"steps":0}')).toMatchObject({
    raised: 'IndexError',
  });
  for (const text of [
    '',
    '{}',
    '[]',
    'null',
    '{"value":{"a":1},"steps":1}',
    '{"value":["list",5],"steps":1}',
  ])
    expect(readOutcome(text)).toBeNull();
  expect(readOutcome(`{"value":${'["list",['.repeat(5000)}${']]'.repeat(5000)},"steps":1}`)).toBeNull();
});

test('None, undefined and NaN say that there is no answer', () => {
  expect(
    [null, ['undefined'], ['list', [['float', 'NaN']]]].map(value => saysNothing(value as Value)),
  ).toEqual([true, true, true]);
  expect(saysNothing(0)).toBe(false);
});
