import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';

/** Names that Python's module `site` adds, which the sandbox skips. */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 20 });
});
afterAll(() => sandbox.close());

const run = (candidate: string) =>
  sandbox.execute({ language: 'python', candidate, tests: 'assert f(2) == 4', entryPoint: 'f' });

test('help prints docstrings', async () => {
  const candidate =
    'def f(x):\n    "Gives x twice."\n    return 2 * x\n\nhelp(f)\nhelp(3 .__class__)\nhelp()\n';
  const { verdict, stdout } = await run(candidate);
  expect(verdict.kind).toBe('passed');
  expect(stdout).toMatch(/^Gives x twice\.\nint\(/);
});

test('help says that there is no docstring', async () => {
  const { verdict, stdout } = await run('def f(x):\n    help(f)\n    return 2 * x\n');
  expect(verdict.kind).toBe('passed');
  expect(stdout).toBe('No documentation.\n');
});

test('a candidate may define its own help', async () => {
  const { verdict } = await run('def help(x):\n    return 2 * x\n\ndef f(x):\n    return help(x)\n');
  expect(verdict.kind).toBe('passed');
});

test.each(['exit', 'quit'])('%s ends the candidate', async name => {
  const { verdict } = await run(`def f(x):\n    ${name}()\n`);
  expect(verdict.kind).toBe('exited');
});
