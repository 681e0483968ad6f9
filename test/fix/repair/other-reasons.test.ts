import { expect, test } from 'vitest';
import type { TestResult } from '../../../lib/core/project-tests.ts';
import { taskOfCode } from '../../../lib/core/task.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import type { OpenProject } from '../../../lib/fix/project/open-project.ts';
import { failingOtherwise } from '../../../lib/fix/repair/other-reasons.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import { stubRunner } from '../../support/stub-runner.ts';

const versionWith = (operator: string) => `def f(a, b):\n    return a ${operator} b`;
const source = `${versionWith('-')}\n`;

/** A test that fails at a line, with what it sees there. */
const failing = (id: string, line: number, actual: string): TestResult => ({
  ...({ id, outcome: 'failed', type: 'AssertionError', message: '', expected: '2', actual } as const),
  test: { line, source: 'assert …' },
  frames: [['test_f.py', line]],
  lines: { 'f.py': [2] },
});

/** @param fails how the test `b` fails with a version of the function; the candidate repairs the test `a` */
async function othersWith(fails: (version: string) => TestResult): Promise<string[]> {
  const file = readSource('f.py', Buffer.from(source));
  const project = {
    parser: await openParser('python'),
    language: 'python',
    source: () => file,
    isTest: () => false,
  } as unknown as OpenProject;
  const runner = stubRunner(async ({ files }) => {
    const text = Buffer.from(files.get('f.py') ?? []).toString();
    return { tests: [fails(text.trim())], fault: null };
  });
  const task = taskOfCode({
    ...{ id: 'f.py::f', language: 'python', entryPoint: 'f', declaration: '', docstring: '' },
    ...{ buggy: source, tests: '' },
  });
  const suspect = {
    ...({ kind: 'function', file: 'f.py', function: 'f', line: 1, suspicion: 1 } as const),
    lines: [[2, 1]] as const,
    task,
  };
  const found = { place: 0, code: `${versionWith('+')}\n`, origin: 'edit' } as const;
  const tests = [failing('a', 3, 'f'), fails(versionWith('-'))];
  const passing: TestResult = { id: 'a', outcome: 'passed' };
  const report = { tests: [passing, fails(versionWith('+'))], fault: null };
  const { signal } = new AbortController();
  return await failingOtherwise({ tests, changes: [], suspect, found }, report, {
    project,
    runner,
    timeout: 5,
    signal,
  });
}

test('a test fails for another reason if no version of the function changes what its statement sees', async () => {
  expect(await othersWith(() => failing('b', 9, '3'))).toEqual(['b']);
});

test('nor does a version that makes an earlier statement fail', async () => {
  const early = (version: string) => failing('b', /[-+*/]/.test(version) ? 9 : 4, '3');
  expect(await othersWith(early)).toEqual(['b']);
});

test('a test that sees other values with other versions fails because of the function', async () => {
  const same = (version: string) =>
    failing('b', 9, /^def f\(a, b\):\n {4}return a [-+] b$/.test(version) ? '3' : version);
  expect(await othersWith(same)).toEqual([]);
});

test('nothing is said of a test whose failing statement is not reached', async () => {
  const early = (version: string) =>
    failing('b', /^def f\(a, b\):\n {4}return a [-+] b$/.test(version) ? 9 : 4, '3');
  expect(await othersWith(early)).toEqual([]);
});
