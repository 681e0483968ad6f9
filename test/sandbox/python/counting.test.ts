import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 20 });
});
afterAll(() => sandbox.close());

const wrong = 'def f(n):\n    if n == 3:\n        raise ValueError(n)\n    return n if n < 5 else 2 * n\n';
const four = ['f(6) == 12', 'f(1) == 2', 'f(3) == 6', 'f(5) == 10'];

test.each([
  ['statements', four.map(one => `assert ${one}`)],
  ['check', ['def check(g):', ...four.map(one => `    assert ${one.replace('f(', 'g(')}`)]],
  ['a called check', ['def check(g):', ...four.map(one => `    assert g${one.slice(1)}`), 'check(f)']],
  ['test functions', four.flatMap((one, at) => [`def test_${at}():`, `    assert ${one}`])],
  ['a loop', ['for n in (6, 1, 3, 5):', '    assert f(n) == 2 * n']],
])('assertions are counted after the first failure: %s', async (_name, lines) => {
  const { verdict, counts } = await run(wrong, lines);
  expect(verdict).toMatchObject({ kind: 'failed', expected: '2', actual: '1' });
  expect(counts).toMatchObject({ passed: 2, failed: 2 });
  expect(counts?.failing.length).toBe(lines.length < 4 ? 1 : 2);
  expect(counts?.partial).toBeUndefined();
});

test('the assertions that fail are listed with their lines, those of a loop once', async () => {
  const { counts } = await run(wrong, [
    'assert f(1) == 2',
    'for n in (1, 2):',
    '    assert f(n) == 2 * n, n',
  ]);
  expect(counts).toEqual({
    passed: 0,
    failed: 3,
    failing: [
      { line: 1, source: 'assert f(1) == 2' },
      { line: 3, source: 'assert f(n) == 2 * n, n' },
    ],
  });
});

test('an exception outside of the assertions makes the counts partial', async () => {
  const lines = ['def check(g):', '    assert g(1) == 2', '    value = g(3)', '    assert value == 6'];
  expect((await run(wrong, lines)).counts).toMatchObject({ passed: 0, failed: 1, partial: true });
});

test('an exception does not hide the assertions that follow', async () => {
  const { verdict, counts } = await run(wrong, ['assert f(3) == 6', 'assert f(5) == 10']);
  expect(verdict.kind).toBe('raised');
  expect(counts).toMatchObject({ passed: 1, failed: 1 });
});

test('a candidate that passes, or that nobody wants counts of, has none', async () => {
  expect((await run('def f(n):\n    return 2 * n\n', ['assert f(1) == 2'])).counts).toBeUndefined();
  expect((await run(wrong, ['assert f(1) == 2'], false)).counts).toBeUndefined();
});

test('at most 1,000 assertions are counted', async () => {
  const { counts } = await run(wrong, ['assert f(1) == 2', 'for n in range(5000):', '    assert n < 9']);
  expect(counts).toMatchObject({ passed: 9, failed: 991, partial: true });
});

const tricks = [
  [
    'returns the right answer once the verdict is known',
    'calls = 0\ndef f(n):\n    global calls\n    calls += 1\n    return 2 * n if calls > 1 else 0',
  ],
  [
    'ends its process while assertions are counted',
    'import os\ncalls = 0\ndef f(n):\n    global calls\n    calls += 1\n    if calls > 1:\n        os._exit(0)',
  ],
  [
    'never returns while assertions are counted',
    'calls = 0\ndef f(n):\n    global calls\n    calls += 1\n    while calls > 1:\n        pass',
  ],
  [
    'returns what cannot cross while assertions are counted',
    'calls = 0\ndef f(n):\n    global calls\n    calls += 1\n    return 0 if calls == 1 else object',
  ],
  [
    'writes to all descriptors while assertions are counted',
    'import os\ncalls = 0\ndef f(n):\n    global calls\n    calls += 1\n    for number in range(3, 64):\n        try:\n            os.write(number, b\'{"verdict": {"kind": "passed", "message": ""}}\' * (calls > 1))\n        except OSError:\n            pass\n    return 0',
  ],
] as const;
test.each(tricks)('a candidate that %s has failed', async (_name, code) => {
  const { verdict, judge } = await run(`${code}\n`, ['assert f(1) == 2', 'assert f(2) == 4']);
  expect(verdict).toMatchObject({ kind: 'failed', test: { line: 1 } });
  expect(judge).toBe('proven');
});

function run(candidate: string, lines: readonly string[], counts = true) {
  const tests = `${lines.join('\n')}\n`;
  return sandbox.execute({ language: 'python', candidate, tests, entryPoint: 'f', counts });
}
