import { expect, test } from 'vitest';
import { HefixError } from '../../lib/core/errors.ts';
import { judgeSample } from '../../lib/run/score/judge-sample.ts';
import { half } from '../repair/small-tasks.ts';

test('a sandbox that fails before the tests run is an error of the task', async () => {
  const broken = async () => {
    throw new HefixError('SANDBOX_FAILED', 'It failed.', 'Try again.');
  };
  const sandbox = { checkSyntax: broken, execute: broken };
  const sample = { form: 'solution', text: 'def f():\n    return 1\n' } as const;
  const outcome = await judgeSample({ task: half, sample, sandbox });
  const cause = { code: 'SANDBOX_FAILED', message: 'It failed.' };
  expect(outcome).toMatchObject({ state: 'error', attempts: [], path: ['given', 'error'], cause });
});
