import { describe, expect, test } from 'vitest';
import type { Language } from '../../../lib/core/task.ts';
import { docstringExamples } from '../../../lib/repair/examples/examples.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const parsers = { python: await openParser('python'), js: await openParser('js') };

const read = (docstring: string, language: Extract<Language, 'python' | 'js'> = 'python') => {
  const declaration = 'def f(x):\n';
  return docstringExamples(parsers[language], {
    docstring,
    entryPoint: 'f',
    language,
    declaration,
    buggy: '',
  });
};

describe('reads Python examples from', () => {
  const cases: [about: string, docstring: string, ...expected: string[]][] = [
    ['a doctest', 'Adds.\n>>> f(1, 2)\n3\n>>> f(0, 0)\n0', 'assert f(1, 2) == 3', 'assert f(0, 0) == 0'],
    ['a doctest over several lines', '>>> f("a")\n[1,\n 2]', 'assert f("a") == [1, 2]'],
    ['a doctest with the value on its line', '>>> f([1]) == [2]', 'assert f([1]) == [2]'],
    [
      'a doctest of a call in a builtin',
      '>>> round(f([1, 2]), 2)\n-0.5',
      'assert abs(round(f([1, 2]), 2) - -0.5) < 1e-6',
    ],
    ['an arrow', "f('a b') ➞ True\nf('') -> False", "assert f('a b') == True", "assert f('') == False"],
    ['a fat arrow', 'f(1) => 2, f(2) ==> 3', 'assert f(1) == 2', 'assert f(2) == 3'],
    ['an equals sign', 'f(12, 15) = 14', 'assert f(12, 15) == 14'],
    ['returns', "* f('x') returns 'y'.", "assert f('x') == 'y'"],
    ['should return', 'f((1, 2)) should return (2, 1)', 'assert f((1, 2)) == (2, 1)'],
    ['an assertion', 'assert f({"a": 1}) == {}', 'assert f({"a": 1}) == {}'],
    ['nothing', 'f([]) => None', 'assert f([]) is None'],
    ['lower-case truth', 'f(1, 4) => true', 'assert f(1, 4) == True'],
    ['words without quotes', 'f(abc) => 3', 'assert f("abc") == 3'],
    ['keyword arguments', 'f(1, key=[2]) -> 3', 'assert f(1, key=[2]) == 3'],
    ['inputs by name', 'For n = 5, k = [1] the output should be "x".', 'assert f(5, [1]) == "x"'],
    ['input and output', 'Input: a = [1, 2], k = 3\nOutput: [3]', 'assert f([1, 2], 3) == [3]'],
    ['the same twice', '>>> f(1)\n2\nf(1) == 2', 'assert f(1) == 2'],
  ];
  test.each(cases)('%s', async (_, docstring, ...expected) => {
    await expect(read(docstring)).resolves.toEqual(expected);
  });
});

describe('reads no example from', () => {
  const prose = [
    'Returns f of x.',
    'f(n) = f(n - 1) + f(n - 2)',
    'f(2) = 1 + (2 / 2) = 2',
    'f(x) returns True if x is odd.',
    '>>> f(1)\nFizz\n',
    'f(1) == g(2)',
    'f(["a"]) == ""aaa"',
    'of(1) => 2',
    '',
  ];
  test.each(prose)('%j', async docstring => {
    await expect(read(docstring)).resolves.toEqual([]);
  });
});

test('compares JavaScript values as JavaScript does', async () => {
  const docstring = ">>> f([1, 2])\n[true, null]\nf('a') => false\nf(2) == 0.5\nf(3) => (None, 1)";
  await expect(read(docstring, 'js')).resolves.toEqual([
    'console.assert(JSON.stringify(f([1, 2])) === JSON.stringify([true, null]))',
    "console.assert(f('a') === false)",
    'console.assert(Math.abs(f(2) - 0.5) < 1e-6)',
    'console.assert(JSON.stringify(f(3)) === JSON.stringify([null, 1]))',
  ]);
});
