import { expect, test } from 'vitest';
import type { TestResult } from '../../../lib/core/project-tests.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import type { RunRequest } from '../../../lib/fix/runners/runner.ts';
import { createWriter, type WriterParts } from '../../../lib/fix/write/writer.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const asked = (path: string) => ({
  ...({ node: 'draft', isCut: false } as const),
  completion: `${path}\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n`,
});

/**
 * The tests of each run of an answer with which all tests pass.
 * @param seconds of the test that passes without it @param files of more such tests
 */
async function runsOf(language: 'js' | 'python', path: string, seconds: number, files = 0) {
  const requests: RunRequest[] = [];
  const tests: TestResult[] = [
    { id: 'a.test.js > fails', outcome: 'failed', seconds: 9 },
    { id: 'a.test.js > passes', outcome: 'passed', seconds },
    ...Array.from({ length: files }, (_, at): TestResult => ({ id: `${at}.test.js > x`, outcome: 'passed' })),
  ];
  const runner = {
    separates: true,
    async run(request: RunRequest) {
      requests.push(request);
      const ran = tests.filter(({ id }) => request.only?.includes(id) ?? true);
      return { tests: ran.map(({ id }) => ({ id, outcome: 'passed' })), fault: null };
    },
  };
  const project = {
    ...{ language, sources: [path], has: (each: string) => each === path, isTest: () => false },
    parser: await openParser(language),
    source: () => readSource(path, Buffer.from('one\n')),
  };
  const writer = createWriter({
    ...{ project, options: { timeout: 5 }, suspects: [], use: { now: {} } },
    ...{ runner: async () => runner, onTried() {}, onAnswered() {} },
    signal: new AbortController().signal,
  } as unknown as WriterParts);
  const input = { asked: asked(path), attempts: [], tests, changes: [], maxRequests: 1 };
  const { result } = await writer.try(input);
  expect(result).toMatchObject({ passed: 1, of: 1, broken: [], failing: [] });
  return requests.map(({ only, apart, cpuSeconds }) => ({
    only,
    apart,
    isLimited: cpuSeconds !== undefined,
  }));
}

const all = { only: null, apart: false, isLimited: false };
const failing = { only: ['a.test.js > fails'], apart: true, isLimited: true };

test('JavaScript’s tests run together with an answer if those that pass are quick', async () => {
  expect(await runsOf('js', 'a.js', 0.1)).toEqual([{ ...failing, only: null }]);
  expect(await runsOf('js', 'a.js', 5)).toEqual([failing, all]);
  expect(await runsOf('js', 'a.js', 0.1, 3)).toHaveLength(1);
  expect(await runsOf('js', 'a.js', 0.1, 4)).toEqual([failing, all]);
  expect(await runsOf('python', 'a.py', 0.1)).toEqual([failing, all]);
});
