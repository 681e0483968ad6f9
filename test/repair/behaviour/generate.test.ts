import { expect, test } from 'vitest';
import { declaredTypes, generateInputs, type Input } from '../../../lib/repair/behaviour/generate.ts';
import { itemsOf, kindOf, sizeOf, type Value } from '../../../lib/repair/behaviour/value.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const generate = (calls: readonly Input[], seed = 1, limit = 400) => generateInputs(calls, { limit, seed });
const first = (inputs: readonly Input[]): Value[] => inputs.map(([value = null]) => value);

test('gives as many new inputs as asked for, none twice and none that was a call', () => {
  const calls: Input[] = [[['list', [3, 1, 2]], 2]];
  const keys = generate(calls).map(input => JSON.stringify(input));
  expect(keys).toHaveLength(400);
  expect(new Set(keys).size).toBe(400);
  expect(keys).not.toContain(JSON.stringify(calls[0]));
});

test('the same seed gives the same inputs, another seed others', () => {
  const calls: Input[] = [['abc', 1]];
  expect(generate(calls, 7)).toEqual(generate(calls, 7));
  expect(generate(calls, 8)).not.toEqual(generate(calls, 7));
});

test('ends early if there are no more inputs', () => {
  expect(generate([[true]])).toEqual([[false]]);
  expect(generate([])).toEqual([]);
  expect(generate([[]])).toEqual([]);
});

test('keeps the types of arguments, with borders of each', () => {
  const numbers = first(generate([[5]]));
  expect(numbers.every(value => Number.isInteger(value))).toBe(true);
  expect(numbers).toEqual(expect.arrayContaining([0, -5, 4, 6, 10]));
  const texts = first(generate([['One two']]));
  expect(texts.every(value => typeof value === 'string')).toBe(true);
  expect(texts).toEqual(expect.arrayContaining(['', 'owt enO', 'one two', 'ONE TWO', 'One two ', 'two One']));
  const lists = first(generate([[['list', [1, 2, 3]]]]));
  expect(lists).toEqual(
    expect.arrayContaining([
      ['list', []],
      ['list', [3, 2, 1]],
      ['list', [1]],
      ['list', [1, 2, 3, 1, 2, 3]],
    ]),
  );
});

test('writes fractions only where they occurred', () => {
  const kinds = first(generate([[['float', '2.5']]])).map(kindOf);
  expect(new Set(kinds)).toEqual(new Set(['float']));
});

test('annotations add fractions and None where calls had neither', async () => {
  const parser = await openParser('python');
  const program =
    'def f(a: int, b: List[Tuple[str, float]], c: Optional[int] = None, *, d: float = 0.5) -> float:\n    return 0.0\n';
  const declared = declaredTypes(parser, program, 'f');
  expect(declared).toEqual([
    { fractions: false, none: false },
    { fractions: true, none: false },
    { fractions: false, none: true },
  ]);
  const inputs = generateInputs([[5, ['list', [1, 2]], 3]], { limit: 200, seed: 1, declared });
  const kinds = (at: number) => new Set(inputs.map(input => kindOf(input[at] ?? null)));
  expect(kinds(0)).toEqual(new Set(['int']));
  expect(inputs.some(([, list]) => JSON.stringify(list).includes('"float"'))).toBe(true);
  expect(kinds(2)).toEqual(new Set(['int', 'null']));
  expect(declaredTypes(await openParser('js'), 'function f(a) {}', 'f')).toEqual([]);
});

test.each([
  ['Sphinx', ':param float a: one\n:type b: int or None'],
  ['Google', 'Args:\n    a (float): one\n    b (Optional[int]): another'],
  ['numpydoc', 'Parameters\n----------\na : float\n    One.\nb : int or None\n    Another.'],
])('a docstring in the style of %s says more about types', async (_, docstring) => {
  const parser = await openParser('python');
  const expected = [
    { fractions: true, none: false },
    { fractions: false, none: true },
  ];
  const inside = `def f(a, b):\n    """${docstring.replaceAll('\n', '\n    ')}\n    """\n    return a\n`;
  expect(declaredTypes(parser, inside, 'f')).toEqual(expected);
  expect(declaredTypes(parser, 'def f(a, b):\n    return a\n', 'f', docstring)).toEqual(expected);
});

test('JSDoc says which arguments may be null', async () => {
  const program =
    '/**\n * @param {number} a\n * @param {?string} b\n * @param {number|null} [c]\n */\nfunction f(a, b, c) {}';
  expect(declaredTypes(await openParser('js'), program, 'f').map(({ none }) => none)).toEqual([
    false,
    true,
    true,
  ]);
});

test('tries None where it occurred, and other values in its place', () => {
  const values = first(generate([[null], ['a'], ['b']], 1, 100));
  expect(values.some(value => typeof value === 'string' && value.length > 1)).toBe(true);
  const pairs = generate(
    [
      [1, null],
      [2, 3],
    ],
    1,
    200,
  );
  expect(pairs.some(([a, b]) => b === null && a !== 1)).toBe(true);
});

test('combines arguments of different calls', () => {
  const keys = generate([
    ['a', 1],
    ['b', 2],
  ]).map(input => JSON.stringify(input));
  expect(keys).toContain(JSON.stringify(['a', 2]));
});

test('a tuple keeps the length that all tuples had', () => {
  const lengths = first(generate([[['tuple', [1, 2]]], [['tuple', [3, 4]]]])).map(
    pair => itemsOf(pair)?.length,
  );
  expect(new Set(lengths)).toEqual(new Set([2]));
});

test('keys of a dictionary and items of a set stay different', () => {
  const dictionaries = first(
    generate([
      [
        [
          'dict',
          [
            ['a', 1],
            ['b', 2],
          ],
        ],
      ],
    ]),
  );
  for (const value of dictionaries) {
    const keys = (Object(value)[1] as [Value, Value][]).map(([key]) => JSON.stringify(key));
    expect(new Set(keys).size).toBe(keys.length);
  }
  for (const value of first(generate([[['set', [1, 2, 3]]]]))) {
    const items = (itemsOf(value) ?? []).map(item => JSON.stringify(item));
    expect(new Set(items).size).toBe(items.length);
  }
});

test('arguments stay small', () => {
  const nested: Value = [
    'list',
    Array.from({ length: 30 }, (_, n): Value => ['list', [n, 'text'.repeat(20)]]),
  ];
  const sizes = first(generate([[nested], ['x'.repeat(250)]])).map(sizeOf);
  expect(Math.max(...sizes)).toBeLessThan(1000);
});

test('leaves out calls with arguments that are no plain data', () => {
  expect(generate([[['other', 'function'], 1]])).toEqual([]);
  expect(generate([[['list', [['other', 'Box']]]]])).toEqual([]);
});
