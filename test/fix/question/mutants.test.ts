import { expect, test } from 'vitest';
import type { TestResult } from '../../../lib/core/project-tests.ts';
import { taskOfCode } from '../../../lib/core/task.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import type { OpenProject } from '../../../lib/fix/project/open-project.ts';
import { rejectedMutants } from '../../../lib/fix/question/mutants.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import type { Suspect } from '../../../machines/project-actors.ts';
import { stubRunner } from '../../support/stub-runner.ts';

const versionWith = (condition: string) => `def f(age):\n    total = age + 1\n    return ${condition}\n`;
const [buggy, repaired] = [versionWith('age > 18'), versionWith('age >= 18')];

/** What is tried and rejected by a test that passes with some versions; the versions in the order in which they run. */
async function mutantsWith(
  passes: (version: string) => boolean,
  { origin = 'edit', limit = Number.POSITIVE_INFINITY }: { origin?: 'edit' | 'sample'; limit?: number } = {},
) {
  const file = readSource('box.py', Buffer.from(buggy));
  const project = {
    parser: await openParser('python'),
    language: 'python',
    source: () => file,
    check: async () => {},
    isTest: () => false,
  } as unknown as OpenProject;
  const task = taskOfCode({
    ...{ id: 'box.py::f', language: 'python', entryPoint: 'f', declaration: '', docstring: '' },
    ...{ buggy, tests: '' },
  });
  const suspect: Suspect = {
    ...{ kind: 'function', file: 'box.py', function: 'f', line: 1 },
    ...{ suspicion: 1, lines: [], task },
  };
  const versions = new Set<string>();
  const limited = new AbortController();
  const runner = stubRunner(async ({ files }, signal) => {
    const version = Buffer.from(files.get('box.py') ?? []).toString();
    versions.add(version);
    if (versions.size > limit) limited.abort();
    signal.throwIfAborted();
    const result: TestResult = { id: 'a', outcome: passes(version) ? 'passed' : 'failed' };
    return { tests: [result], fault: null };
  });
  const tests: TestResult[] = [{ id: 'a', outcome: 'failed' }];
  const changes = [{ path: 'box.py', content: Buffer.from(repaired).toString('base64') }];
  const input = {
    ...{ tests, suspect, found: { place: 0, code: repaired, origin }, others: [], changes },
    after: { tests, fault: null },
  };
  const parts = { project, runners: [runner, runner] as const, timeout: 5, signal: limited.signal };
  return { mutants: await rejectedMutants(input, parts), versions: [...versions] };
}

test('only the changed expression is edited, never back to what it was', async () => {
  const { mutants, versions } = await mutantsWith(() => false);
  expect(mutants).toEqual({ tried: 16, rejected: 16 });
  expect(versions).toHaveLength(16);
  for (const version of versions)
    expect(version).toMatch(/^def f\(age\):\n {4}total = age \+ 1\n {4}return /);
  expect(versions).not.toContain(buggy);
  expect(versions).not.toContain(repaired);
});

test('edits with which the tests pass are not rejected', async () => {
  const { mutants } = await mutantsWith(version => version.includes('18'));
  expect(mutants?.tried).toBe(16);
  expect(mutants?.rejected).toBeGreaterThan(0);
  expect(mutants?.rejected).toBeLessThan(16);
});

test('after an abort, those that were tried before count', async () => {
  const { mutants } = await mutantsWith(() => false, { limit: 9 });
  expect(mutants).toEqual({ tried: 9, rejected: 9 });
});

test('what a model wrote is not judged by them', async () => {
  expect((await mutantsWith(() => false, { origin: 'sample' })).mutants).toBeNull();
});
