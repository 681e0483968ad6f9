import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';

/** Which judge gives a verdict follows from tests and declaration, whatever the candidate is. */
describe('the judge of Python tests', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createPythonSandbox({ timeoutSeconds: 20 });
  });
  afterAll(() => sandbox.close());

  async function judge(candidate: string, tests: string, declaration?: string) {
    const request = { language: 'python', candidate, tests, entryPoint: 'f' } as const;
    const { verdict, judge: kind } = await sandbox.execute({
      ...request,
      ...(declaration && { declaration }),
    });
    return `${verdict.kind} ${kind}`;
  }

  test.each([
    [
      'plain arguments and results',
      'def f(x):\n    return x',
      'assert f((1, {"a": {2}})) == (1, {"a": {2}})',
    ],
    ['changed arguments', 'def f(x):\n    x.sort()', 'a = [2, 1]\nf(a)\nassert a == [1, 2]'],
    [
      'exceptions with arguments',
      'def f(x):\n    raise KeyError(x, 1)',
      'try:\n    f(2)\n    assert False\nexcept KeyError as e:\n    assert e.args == (2, 1)',
    ],
    [
      'generators that are walked through',
      'def f(n):\n    yield from range(n)',
      'assert list(f(3)) == [0, 1, 2]',
    ],
    [
      'arguments that cannot change',
      'def f(x):\n    return x * 2',
      'for x in (1, "a", (2, 3)):\n    assert f(x) == x + x',
    ],
    [
      'changed arguments that are handed over again',
      'def f(x):\n    x.append(len(x))\n    return len(x)',
      'a = []\nassert f(a) == 1\nassert f(a) == 2\nassert a == [0, 1] and len(a) == 2',
    ],
    [
      'arguments in lists of arguments and expected values',
      'def f(xs):\n    xs.reverse()\n    return xs',
      'def test_f():\n    cases = [([1, 2], [2, 1]), ([3], [3])]\n    for xs, want in cases:\n        assert f(xs) == want',
    ],
    [
      'a shallow copy of nested lists',
      'def f(xs):\n    return [row[:] for row in xs]',
      'xs = [[1], [2]]\nwant = list(xs)\nassert f(xs) == want',
    ],
    [
      'what is expected before the call',
      'def f(xs):\n    return sorted(xs)',
      'xs = [2, 1]\nwant = sorted(xs)\nassert f(xs) == want',
    ],
    [
      'cases of arguments and expected values',
      'def f(xs):\n    return sorted(xs)',
      'for case in [([2, 1], [1, 2]), ([], [])]:\n    assert f(case[0]) == case[1]',
    ],
    [
      'decimals',
      'def f(x):\n    return x + 1',
      'from decimal import Decimal\nassert f(Decimal("1.5")) == Decimal("2.5")',
    ],
  ])('%s are proven', async (_, candidate, tests) => {
    expect(await judge(candidate, tests)).toBe('passed proven');
  });

  test('of an iterator, the tests get at most 5,000 items', async () => {
    const candidate = 'def f(n):\n    yield from range(n)';
    const walking = (items: number) => `assert list(f(${items})) == list(range(${items}))`;
    expect(await judge(candidate, walking(4999))).toBe('passed proven');
    expect(await judge(candidate, walking(5001))).toBe('not-serializable proven');
  });

  test.each([
    ['a callback', 'def f(g):\n    return g(2)', 'assert f(lambda x: x * 2) == 4'],
    ['an object that only the run shows', 'def f(g):\n    return g(2)', 'args = [abs]\nassert f(*args) == 2'],
    ['a result that is called', 'def f(n):\n    return lambda x: x + n', 'add = f(1)\nassert add(2) == 3'],
    [
      'a helper of the candidate',
      'def g(x):\n    return x\ndef f(x):\n    return g(x)',
      'assert f(g(2)) == 2',
    ],
    [
      'a patched module',
      'import time\ndef f():\n    return time.time()',
      'import time\nfrom unittest import mock\nwith mock.patch("time.time", lambda: 5):\n    assert f() == 5',
    ],
    [
      'output',
      'def f():\n    print("x")',
      'def test_f(capsys):\n    f()\n    assert capsys.readouterr().out == "x\\n"',
    ],
    ['identity', 'def f(x):\n    return x', 'a = [1]\nassert f(a) is a'],
    ['a result that is compared with a result', 'def f(x):\n    return 0', 'assert f(f(2)) == f(2)'],
    [
      'a result that is compared with its argument',
      'def f(xs, x):\n    xs.append(x)\n    return len(xs)',
      'xs = [1]\nassert f(xs, 2) == len(xs)',
    ],
    [
      'an argument that is read after the call',
      'def f(xs):\n    return [2 * x for x in xs]',
      'def test_f():\n    xs = [1]\n    got = f(xs)\n    want = [2 * x for x in xs]\n    assert got == want',
    ],
    [
      'a test that may skip itself',
      'def f(x):\n    return x',
      'import unittest\nclass T(unittest.TestCase):\n    def test_f(self):\n        if f(1) is None:\n            self.skipTest("no")\n        self.assertEqual(f(1), 1)',
    ],
    [
      'a condition of a mark that may be a text',
      'def f(x):\n    return 0 if x else 1',
      'import pytest\nflags = {"off": f(1)}\n@pytest.mark.skipif(flags["off"], reason="off")\ndef test_f():\n    assert f(0) == 1',
    ],
    [
      'a format that is not written down',
      'def f(x):\n    return "{}!"',
      'def show(text):\n    return text.format(1)\nassert show(f(1)) == "1!"',
    ],
    [
      'an attribute that a value names',
      'def f(x):\n    return "real"',
      'name = f(1)\nassert getattr(3, name) == 3',
    ],
    [
      'a function that a value names',
      'def f(x):\n    return "all"',
      'checks = {"all": all}\ncheck = checks[f(1)]\nassert check([f(2) == "all"])',
    ],
    ['a module that is handed on', 'def f(x):\n    return x', 'import math\nm = math\nassert f(m.pi) > 3'],
    [
      'a name that the harness gives',
      'def f(x):\n    return x',
      'class Row:\n    cell: int\nassert f(1) == 1 and get_type_hints(Row)',
    ],
    [
      'a docstring that is not written down',
      'def f(x):\n    return ">>> 1"',
      'class Row:\n    __doc__ = f(1)\nassert f(2) == ">>> 1"',
    ],
    [
      'a property that calls the entry point',
      'def f(x):\n    return x',
      'class Row:\n    @property\n    def cell(self):\n        return f(1)\nassert Row().cell == 1',
    ],
  ])('%s needs one process', async (_, candidate, tests) => {
    expect(await judge(candidate, tests)).toBe('passed isolated');
  });

  test('an answer that is not plain data fails, and changes no judge', async () => {
    const equal = 'class A:\n    def __eq__(self, other):\n        return True\ndef f(x):\n    return A()';
    expect(await judge(equal, 'assert f(1) == 2')).toBe('not-serializable proven');
    const number =
      'class A(int):\n    def __eq__(self, other):\n        return True\ndef f(x):\n    return [A(1)]';
    expect(await judge(number, 'assert f(1) == [2]')).toBe('not-serializable proven');
  });

  test('a wrong candidate is judged by the same judge as a right one', async () => {
    const tests = 'assert f(1) == 2\nassert f(lambda: 1) == 3';
    expect(await judge('def f(x):\n    return 0', tests)).toBe('failed isolated');
  });

  test('dataclasses of the declaration cross as fields', async () => {
    const declaration = 'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n\ndef f(p):\n';
    const candidate = `${declaration}    return P(p.x + 1)\n`;
    expect(await judge(candidate, 'assert f(P(1)) == P(2)', declaration)).toBe('passed proven');
  });

  test('what was returned and is changed later is seen', async () => {
    const candidate = 'all = []\ndef f(x):\n    all.append(x)\n    return all';
    expect(await judge(candidate, 'a = f(1)\nb = f(2)\nassert a == [1]')).toBe('failed proven');
  });

  test('a large argument that is handed over again needs one process', async () => {
    const candidate = 'def f(grid, i):\n    grid[0][0] += i\n    return grid[0][0]';
    const tests = [
      'grid = [[0] * 100 for _ in range(100)]',
      'for i in range(10_000):\n    assert f(grid, 0) == 0',
      'assert f(grid, 2) == 2 and grid[0][0] == 2',
      'grid[0][0] = 0',
      'assert f(grid, 1) == 1',
    ];
    expect(await judge(candidate, tests.join('\n'))).toMatch(/^passed/);
  });
});
