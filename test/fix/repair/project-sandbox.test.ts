import { expect, test } from 'vitest';
import type { Task } from '../../../lib/core/task.ts';
import { functionIn } from '../../../lib/fix/repair/function-task.ts';
import { projectSandbox, verdictOf } from '../../../lib/fix/repair/project-sandbox.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const task: Task = {
  id: 'shop.py::total',
  language: 'python',
  entryPoint: 'total',
  declaration: 'def total(prices):\n',
  docstring: '',
  buggy: 'def total(prices):\n    return sum(prices[1:])\n',
  canonical: '',
  tests: '',
  exampleTests: '',
  bugType: null,
};
const failed = { id: 'test_shop.py::test_total', outcome: 'failed' } as const;
const place = { line: 4, source: 'assert total([2, 3]) == 5' };

test.each([
  [
    'an assertion',
    {
      ...failed,
      type: 'AssertionError',
      message: 'assert 3 == 5\nmore',
      test: place,
      expected: '5',
      actual: '3',
    },
    { kind: 'failed', message: 'assert 3 == 5', test: place, expected: '5', actual: '3' },
  ],
  [
    'an exception',
    { ...failed, type: 'KeyError', message: 'b', test: place },
    { kind: 'raised', message: 'KeyError: b', exception: { type: 'KeyError', message: 'b' }, test: place },
  ],
  [
    'the time limit',
    { ...failed, timeout: true },
    { kind: 'timeout', message: `${failed.id} took too long.` },
  ],
  ['nothing else', failed, { kind: 'failed', message: `${failed.id} fails.` }],
  ['no test', null, { kind: 'raised', message: 'The tests cannot be run with it.' }],
])('the verdict of a test that fails by %s', (_, failure, verdict) => {
  expect(verdictOf(failure)).toEqual(verdict);
});

test('judges only the function of an answer, by the project’s tests', async () => {
  const parser = await openParser('python');
  const judged: (string | null)[] = [];
  const own = { versionIn: (answer: string) => functionIn(parser, task, answer) };
  const sandbox = projectSandbox(own, {
    parser,
    project: { isolation: 'ulimit' },
    async judge({ code }) {
      judged.push(code);
      const isRepair = !code?.includes('1:');
      return { isRepair, passed: Number(isRepair), failure: isRepair ? null : { ...failed, message: 'no' } };
    },
  });
  const verdictFor = async (candidate: string) => {
    const request = { language: 'python', candidate, tests: '', entryPoint: 'total' } as const;
    return (await sandbox.execute(request)).verdict.kind;
  };
  expect(await verdictFor('import os\n\n\ndef total(prices):\n    return sum(prices)\n')).toBe('passed');
  expect(await verdictFor(task.buggy)).toBe('failed');
  expect(judged).toEqual(['def total(prices):\n    return sum(prices)', task.buggy.trimEnd()]);
  expect(await sandbox.checkSyntax('python', task.buggy)).toBeNull();
  expect(await sandbox.checkSyntax('python', 'def total(prices):\n    return (\n')).toMatchObject({
    message: 'invalid syntax',
  });
});
