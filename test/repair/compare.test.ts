import { expect, test } from 'vitest';
import type { TextModel } from '../../lib/core/ports.ts';
import type { Task } from '../../lib/core/task.ts';
import { repairTask } from '../../lib/repair/repair-task.ts';
import { options, sharedSandbox } from './small-tasks.ts';

const sandbox = sharedSandbox();

const above: Task = {
  ...{ id: 'small/above', language: 'python', entryPoint: 'above', bugType: null, exampleTests: '' },
  declaration: 'def above(values, limit):\n',
  docstring: 'How many values are above the limit.\n>>> above([3, 1], 2)\n1',
  buggy: 'def above(values, limit):\n    return len([value for value in values if value >= limit])\n',
  canonical: 'def above(values, limit):\n    return len([value for value in values if value > limit])\n',
  tests: 'assert above([3, 1], 2) == 1\nassert above([2, 2, 5], 2) == 1\n',
};
const without = '@2\n-value >= limit\n+not value < limit';
const right = '@2\n->=\n+>';

/** The answer without an effect is the likeliest. */
const model: TextModel = {
  ...{ name: 'beams', fingerprint: 'beams', answer: 'edit' },
  generate: () => Promise.reject(new Error('not asked to write')),
  async beams() {
    const beams = [without, right].map((text, place) => ({ text, logLikelihood: -place }));
    return { beams, promptTokens: 1, completionTokens: 1, seconds: 0 };
  },
  close: async () => {},
};

const repaired = (given: Partial<Task> = {}) => {
  const search = { budget: 0, rank: false };
  return repairTask({
    task: { ...above, ...given },
    model,
    sandbox: sandbox(),
    options: { ...options, search },
  });
};

test('a candidate that behaves like the buggy function is not tried first', async () => {
  const outcome = await repaired();
  expect(outcome.attempts.map(({ completion }) => completion)).toEqual([right]);
  expect(outcome.steps?.find(({ state }) => state === 'compare')?.counts).toEqual({ compared: 2, alike: 1 });
});

test('nothing is compared if an example shows the bug', async () => {
  const outcome = await repaired({ docstring: 'How many are above.\n>>> above([3, 2], 2)\n1' });
  expect(outcome.path).not.toContain('compare');
  expect(outcome.state).toBe('solved');
});

test('a candidate that behaves like an attempt that failed is not tried next', async () => {
  const wrong = '@2\n->=\n+<';
  const alike = '@2\n-value >= limit\n+not value >= limit';
  const beams = [wrong, alike, right].map((text, place) => ({ text, logLikelihood: -place }));
  const answers = { beams, promptTokens: 1, completionTokens: 1, seconds: 0 };
  const outcome = await repairTask({
    // Of the tests, no single call is known to fail.
    task: {
      ...above,
      docstring: 'How many.\n>>> above([3, 1], 2)\n1',
      tests: 'assert sum(above([n, 9], 2) for n in (1, 2, 9)) == 4\n',
    },
    model: { ...model, beams: async () => answers },
    sandbox: sandbox(),
    options: { ...options, search: { budget: 0, rank: false } },
  });
  expect(outcome.attempts.map(({ completion }) => completion)).toEqual([wrong, right]);
});
