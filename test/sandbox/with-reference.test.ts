import { expect, test } from 'vitest';
import type { ExecuteRequest, Execution } from '../../lib/core/ports.ts';
import { withReference } from '../../lib/sandbox/create-sandbox.ts';
import { sandboxFailed, testsInvalid } from '../../lib/sandbox/errors.ts';

const request = { language: 'python', tests: 't', entryPoint: 'f', reference: 'right' } as const;

/** A sandbox that answers each candidate with its outcomes, in turn. */
function sandboxWith(outcomes: Record<string, ('passed' | Error)[]>) {
  const asked: string[] = [];
  const execute = withReference(
    async ({ candidate }: ExecuteRequest) => {
      asked.push(candidate);
      const outcome = outcomes[candidate]?.shift() ?? 'passed';
      if (outcome instanceof Error) throw outcome;
      return { verdict: { kind: outcome, message: '' } } as Execution;
    },
    { isolation: 'bubblewrap' },
  );
  return { asked, execute };
}

test('a sandbox that fails once is no verdict', async () => {
  const { execute, asked } = sandboxWith({ a: [sandboxFailed('it broke'), 'passed'] });
  expect((await execute({ ...request, candidate: 'a' })).verdict.kind).toBe('passed');
  expect(asked).toEqual(['a', 'right', 'a']);
});

test('one that fails on the same candidate again is a verdict, and the reference is judged once', async () => {
  const broken = () => Array.from({ length: 2 }, () => sandboxFailed('it broke'));
  const { execute, asked } = sandboxWith({ a: broken(), b: broken() });
  for (const candidate of ['a', 'b'])
    expect((await execute({ ...request, candidate })).verdict).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('it broke'),
    });
  expect(asked).toEqual(['a', 'right', 'a', 'b', 'b']);
});

test('an error of the reference leaves the error', async () => {
  const { execute } = sandboxWith({ a: [testsInvalid('x')], right: [sandboxFailed('it broke')] });
  await expect(execute({ ...request, candidate: 'a' })).rejects.toMatchObject({ code: 'TESTS_INVALID' });
  const { reference: _, ...alone } = request;
  const bare = sandboxWith({ a: [testsInvalid('x')] });
  await expect(bare.execute({ ...alone, candidate: 'a' })).rejects.toMatchObject({ code: 'TESTS_INVALID' });
  expect(bare.asked).toEqual(['a']);
});

test('an answer that is not plain is the task’s if the reference gives one too', async () => {
  const asked: string[] = [];
  const execute = withReference(
    async ({ candidate, judge = 'auto' }: ExecuteRequest) => {
      asked.push(`${candidate} ${judge}`);
      const kind = judge === 'isolated' || candidate === 'plain' ? 'passed' : 'not-serializable';
      return { verdict: { kind, message: '' }, judge: judge === 'isolated' ? judge : 'proven' } as Execution;
    },
    { isolation: 'bubblewrap' },
  );
  expect(await execute({ ...request, candidate: 'a' })).toMatchObject({ judge: 'isolated' });
  expect(asked).toEqual(['a auto', 'right auto', 'a isolated']);
  const other = { ...request, reference: 'plain', candidate: 'a' };
  expect((await execute(other)).verdict.kind).toBe('not-serializable');
});
