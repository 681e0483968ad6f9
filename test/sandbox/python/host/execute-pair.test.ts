import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../../lib/core/ports.ts';
import { createPythonSandbox } from '../../../../lib/sandbox/python/host/python-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 2 });
});
afterAll(() => sandbox.close());

async function judge(candidate: string, tests: string) {
  const { verdict } = await sandbox.execute({ language: 'python', candidate, tests, entryPoint: 'f' });
  return verdict;
}

test('a judge that is stuck in one operation ends in a timeout', async () => {
  const verdict = await judge(
    'def f(n):\n    return 10 ** 8\n',
    'power = f(1)\nnumber = 7 ** power\nassert number == 1',
  );
  expect(verdict.kind).toBe('timeout');
});

test('a judge that dies while processing the candidate’s value gives a verdict', async () => {
  const verdict = await judge(
    'def f(n):\n    return n\n',
    // Overflows the stack in C.
    'items = [f(1)]\nfor _ in range(1_000_000):\n    items = filter(None, items)\nassert list(items) == [1]',
  );
  expect(verdict).toMatchObject({
    kind: 'memory',
    message: 'The tests ended without a verdict while they worked on what the candidate gave.',
  });
});

test('a judge that runs out of memory says so', async () => {
  const verdict = await judge('def f(n):\n    return 10 ** 10\n', 'assert [0] * f(1) == 1');
  expect(verdict.kind).toBe('memory');
});
