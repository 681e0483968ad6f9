import { expect, test } from 'vitest';
import { readSource } from '../../../../lib/fix/patch/source-file.ts';
import type { FileTask } from '../../../../lib/fix/repair/function-task.ts';
import { createCandidateJudge } from '../../../../lib/fix/repair/tests-decide.ts';
import { stubRunner } from '../../../support/stub-runner.ts';

const buggy = 'def f(a, b):\n    return g(a)\n';

/** Judges an enumerated edit of `buggy` by one test, which a file passes if `passes` says so. */
async function judged(code: string, passes: (text: string) => boolean) {
  const outcome = (text: string) => (passes(text) ? ('passed' as const) : ('failed' as const));
  const runner = stubRunner(async ({ files }) => {
    return { tests: [{ id: 'test', outcome: outcome(String(files.get('a.py'))) }], fault: null };
  });
  const current = readSource('a.py', Buffer.from(buggy));
  if (current === null) throw new Error('no source');
  const task = { task: { buggy, language: 'python' }, fileWith: (text: string) => text } as FileTask;
  const judge = createCandidateJudge(
    {
      ...{ timeout: 1, signal: new AbortController().signal, repaired: new Map() },
      ...{ tests: [{ id: 'test', outcome: 'failed' }], runners: [runner], fresh: runner },
      ...{ onTried() {}, onJudged() {} },
    },
    0,
    [],
    task,
    current,
  );
  return await judge({ code, origin: 'edit' });
}

const exchanged = 'def f(a, b):\n    return g(b)\n';

test('an edit that the tests decide on is a repair', async () => {
  expect(await judged(exchanged, text => text === exchanged)).toMatchObject({ isRepair: true, passed: 1 });
});

test('an exchanged name is no repair if the tests pass with any object in its place', async () => {
  const isOther = (text: string) => text !== buggy;
  expect(await judged(exchanged, isOther)).toMatchObject({ isRepair: false, passed: 0 });
});
