import { expect, test } from 'vitest';
import type { TestReport } from '../../../lib/core/project-tests.ts';
import type { Runner } from '../../../lib/fix/runners/runner.ts';
import { findFlaky } from '../../../lib/fix/runners/unreliable-tests.ts';
import { stubRunner } from '../../support/stub-runner.ts';

const { signal } = new AbortController();

/** Tests whose outcomes in each run are the letters of a text: p passed, f failed. */
function runnerOf(outcomes: Readonly<Record<string, string>>): { first: TestReport; runner: Runner } {
  let run = 0;
  const report = (only: readonly string[]): TestReport => ({
    fault: null,
    tests: only.map(id => {
      const letter = outcomes[id]?.[Math.min(run, outcomes[id].length - 1)];
      return { id, outcome: letter === 'p' ? 'passed' : 'failed', seconds: 0 };
    }),
  });
  const runner = stubRunner(async ({ only }) => {
    run++;
    return report(only ?? []);
  });
  return { first: report(Object.keys(outcomes)), runner };
}

test.each([
  ['a test that fails and passes', { broken: 'f', coin: 'fffp' }, ['coin']],
  [
    'a passing test that fails late, next to a flaky one',
    { broken: 'f', coin: 'fp', other: 'pppf' },
    ['coin', 'other'],
  ],
  ['none', { broken: 'f', fine: 'p' }, []],
])('%s', async (_, outcomes, flaky) => {
  const { first, runner } = runnerOf(outcomes);
  expect(await findFlaky([runner], first, { seconds: 5, left: () => 60 }, signal)).toEqual(flaky);
});

test('runners repeat the tests at once', async () => {
  const { first, runner } = runnerOf({ broken: 'f' });
  const asked: number[] = [];
  const noting = [0, 1].map(number => ({
    ...runner,
    run: async (...given: Parameters<Runner['run']>) => {
      asked.push(number);
      return await runner.run(...given);
    },
  }));
  await findFlaky(noting, first, { seconds: 5, left: () => 60 }, signal);
  expect(asked).toEqual([0, 1, 0, 1, 0, 1, 0]);
});

test('each run of the failing tests ends when the time of the repair is up', async () => {
  const { first, runner } = runnerOf({ broken: 'f' });
  const limits: (number | undefined)[] = [];
  const noting: Runner = {
    ...runner,
    async run(request, aborting) {
      limits.push(request.limit);
      return await runner.run(request, aborting);
    },
  };
  let seconds = 9;
  await findFlaky([noting], first, { seconds: 5, left: () => seconds-- }, signal);
  expect(limits.slice(0, 3)).toEqual([9, 8, 7]);
});
