import { expect, test } from 'vitest';
import type { Task } from '../../../lib/core/task.ts';
import { runCodeTool, type ToolAttempt, toolPrompt } from '../../../lib/repair/prompt/tools.ts';

const task: Task = {
  id: 'test/total',
  language: 'python',
  entryPoint: 'total',
  declaration: 'def total(prices, tax=0.0):\n',
  docstring: 'The sum of the prices with tax.',
  buggy: 'def total(prices, tax=0.0):\n    return sum(prices)\n',
  canonical: 'CANONICAL',
  tests: 'assert total([1.0], 0.5) == 1.5\nassert total([]) == 0.0  # HIDDEN\n',
  exampleTests: '',
  bugType: null,
};
const candidate = 'def total(prices, tax=0.0):\n    return sum(prices) + tax\n';
const call = (code: string) =>
  JSON.stringify({ name: 'run_code', arguments: { code, explanation: 'It left out the tax.' } });
const attempts: ToolAttempt[] = [
  {
    completion: 'I think it is the tax.',
    candidate: null,
    verdict: { kind: 'no-code', message: 'There is no call of run_code in that answer.' },
  },
  {
    completion: call(candidate),
    candidate,
    verdict: {
      kind: 'failed',
      message: 'total([2.0], 0.5) returned 2.5, but the tests want 3.0.',
      test: { line: 1, source: 'assert total([2.0], 0.5) == 3.0' },
      expected: '3.0',
      actual: '2.5',
    },
  },
  { completion: call(candidate), candidate, verdict: { kind: 'failed', message: 'Not so.' }, repeated: true },
];

function textOf(nativeTools: boolean): string {
  return toolPrompt(task, attempts, { feedback: 'tests', nativeTools })
    .map(({ role, content, toolCalls }) => {
      const calls = toolCalls?.map(made => `${made.name} ${made.arguments}\n`) ?? [];
      return `[${role}]\n${content}\n${calls.join('')}`;
    })
    .join('');
}

test('the conversation with a model without native tools', () => {
  expect(textOf(false)).toMatchSnapshot();
});

test('the conversation with a model with native tools', () => {
  expect(textOf(true)).toMatchSnapshot();
});

test('shows only the failing test, and never the solution', () => {
  for (const native of [true, false]) {
    expect(textOf(native)).not.toMatch(/HIDDEN|CANONICAL/);
  }
});

test('the tool reports what it did with the code', () => {
  expect(runCodeTool('tests').description).toContain('against its tests');
  expect(runCodeTool('examples').description).toContain('examples');
  expect(runCodeTool('none').description).not.toContain('tells');
});

test('a repeated submission gets a warning', () => {
  const last = toolPrompt(task, attempts, { feedback: 'tests', nativeTools: true }).at(-1);
  expect(last).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('Warning: this code is identical'),
  });
});
