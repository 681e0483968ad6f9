import { afterAll, beforeAll } from 'vitest';
import type { Sandbox } from '../../lib/core/ports.ts';
import type { Task } from '../../lib/core/task.ts';
import type { RepairOptions } from '../../lib/repair/repair-task.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';

/** Tasks of two lines, and helpers shared by the agents' tests. */

export const half: Task = {
  id: 'test/half',
  language: 'python',
  entryPoint: 'half',
  declaration: 'def half(n):\n',
  docstring: 'Half of n, rounded down.',
  buggy: 'def half(n):\n    return n / 2\n',
  canonical: 'def half(n):\n    return n // 2\n',
  tests: 'assert half(4) == 2\nassert half(5) == 2\n',
  exampleTests: '',
  bugType: 'operator misuse',
};

export const area: Task = {
  id: 'test/area',
  language: 'python',
  entryPoint: 'area',
  declaration: 'def area(width, height):\n',
  docstring: 'The area of a frame.\n>>> area(2, 3)\n6',
  buggy: 'def area(width, height):\n    return width + height\n',
  canonical: 'def area(width, height):\n    return width * height\n',
  tests: 'assert area(2, 3) == 6\nassert area(4, 5) == 20\n',
  exampleTests: 'assert area(1, 1) == 7\n',
  bugType: 'operator misuse',
};

export const options: RepairOptions = {
  agent: 'reflect',
  feedback: 'tests',
  maxIterations: 3,
  temperature: { schedule: 'ramp', base: 0, step: 0.2, cap: 0.8 },
  topP: 1,
  topK: 0,
  maxNewTokens: 100,
  seed: 1,
};

/** One for all tests of a file, set when they run. */
export function sharedSandbox(): () => Sandbox {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createPythonSandbox({ timeoutSeconds: 20 });
  });
  afterAll(() => sandbox.close());
  return () => sandbox;
}
