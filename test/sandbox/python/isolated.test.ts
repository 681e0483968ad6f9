import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { type Need, needs } from '../../support/needs.ts';

const surroundings = readFileSync(packageFile('fixtures/attacks/cases/python-surroundings.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(
    line => JSON.parse(line) as { id: string; kind: string; expected: string; code: string; tests: string },
  );

const pytest: Need = {
  what: 'pytest (apt-get install python3-pytest)',
  isThere: spawnSync('python3', ['-c', 'import pytest']).status === 0,
};
/** Test functions of a module that take arguments: only pytest can pass them. */
const argumentsOfTests = /^def test\w*\(\w/m;

describe('candidate and tests in one process', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createPythonSandbox({ timeoutSeconds: 3 });
  });
  afterAll(() => sandbox.close());

  async function judge(candidate: string, tests: string) {
    const request = { language: 'python', candidate, tests, entryPoint: 'f' } as const;
    return sandbox.execute({ ...request, judge: 'isolated' });
  }

  const honest = surroundings.filter(one => one.kind === 'honest');
  for (const { id, code, tests, expected } of honest)
    test(`${id} is judged right`, argumentsOfTests.test(tests) ? needs(pytest) : {}, async () => {
      const { verdict, judge: kind } = await judge(code, tests);
      expect(verdict.kind).toBe(expected);
      expect(kind).toBe('isolated');
    });

  test('a failing assert has its line and values', async () => {
    const { verdict } = await judge('def f(n):\n    return n\n', 'x = 1\nassert f(x) == 2');
    expect(verdict).toMatchObject({ kind: 'failed', expected: '2', actual: '1', test: { line: 2 } });
  });

  test.each([
    ['exits while loading', 'import os\nos._exit(0)\n', 'exited'],
    ['exits in the call', 'def f(n):\n    import os\n    os._exit(0)\n', 'exited'],
    ['raises', 'def f(n):\n    raise KeyError(n)\n', 'raised'],
    ['never returns', 'def f(n):\n    while True:\n        pass\n', 'timeout'],
    ['does not parse', 'def f(n:\n', 'syntax'],
    ['takes all memory', 'def f(n):\n    return [0] * 10 ** 12\n', 'memory'],
    ['closes the channel', 'def f(n):\n    import os\n    os.closerange(3, 64)\n    return n\n', 'exited'],
    [
      'writes nonsense to every descriptor',
      'def f(n):\n    import os\n    for one in range(3, 64):\n        try:\n            os.write(one, b"\\xff" * 64)\n        except OSError:\n            pass\n    return n\n',
      'not-serializable',
    ],
    [
      'reaches for the runner among the modules',
      'import sys\ndef f(n):\n    sys.modules["checks"].Checks.verdict = lambda *args: {"kind": "won"}\n    return n\n',
      'raised',
    ],
  ])('a candidate that %s has a verdict', async (_, code, kind) => {
    const { verdict } = await judge(code, 'assert f(1) == 2');
    expect(verdict.kind).toBe(kind);
  });

  test('a timeout says that the tests did not end', async () => {
    const { verdict } = await judge('def f(n):\n    while n:\n        pass\n', 'assert f(1) == 2');
    expect(verdict).toMatchObject({ kind: 'timeout', message: 'The tests did not end within 3 seconds.' });
  });

  test('refuses tests that would not run, by name', async () => {
    const tests = 'assert f(1) == 1\ndef test_more():\n    yield\n    assert f(2) == 3';
    await expect(judge('def f(n):\n    return n\n', tests)).rejects.toMatchObject({
      code: 'TESTS_INVALID',
      message: 'The tests would not have been run wholly: test_more.',
    });
  });

  test.each([
    ['exits with status 0', 'import sys\ndef f(n):\n    sys.exit(0)\n'],
    [
      'replaces what a failed assertion raises',
      'import builtins\nbuiltins.AssertionError = SystemExit\ndef f(n):\n    return n\n',
    ],
    [
      'writes a report of its own',
      `import os, struct
def f(n):
    body = b'["return",{"l":["secret","verdict",{"d":["kind","passed","message","won"]},{"l":[]}]},[]]'
    for one in range(3, 64):
        try:
            os.write(one, struct.pack("<I", len(body)) + body)
        except OSError:
            pass
    os._exit(0)
`,
    ],
    [
      'asks for the frames of the runner',
      `import sys
def f(n):
    frame = sys._getframe()
    while frame is not None:
        checks = frame.f_locals.get("checks")
        if checks is not None:
            checks.verdict = lambda *_: {"kind": "passed", "message": "won"}
        frame = frame.f_back
    return n
`,
    ],
    [
      'deletes the tests',
      'def f(n):\n    for name in [one for one in globals() if one.startswith("test")]:\n        del globals()[name]\n    return n\n',
    ],
  ])('a candidate that %s does not pass', async (_, code) => {
    const { verdict } = await judge(
      code,
      'def test_a():\n    assert f(1) == 2\ndef test_b():\n    assert f(2) == 3',
    );
    expect(verdict.kind).not.toBe('passed');
  });
});
