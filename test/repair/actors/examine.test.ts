import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attempt } from '../../../lib/core/attempt.ts';
import type { Sandbox } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import { examine } from '../../../lib/repair/actors/examine.ts';
import { repeatPrompt } from '../../../lib/repair/prompt/prompts.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const task: Task = {
  id: 'test/join',
  language: 'python',
  entryPoint: 'join',
  declaration: 'def join(words, by=", "):\n',
  docstring: '',
  buggy: 'def join(words, by=", "):\n    return by.join(words[1:])\n',
  canonical: '',
  tests: 'assert join(["a", "b"], by="-") == "a-b"\n',
  exampleTests: '',
  bugType: null,
};
const parser = await openParser('python');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 5 });
});
afterAll(() => sandbox.close());

const look = (completion: string, attempts: readonly Attempt[] = []) =>
  examine(parser, sandbox, { task, completion, attempts });

function earlier(candidate: string): Attempt {
  return {
    iteration: 0,
    node: 'draft',
    temperature: 0,
    prompt: [],
    completion: candidate,
    candidate,
    verdict: { kind: 'failed', message: 'Not so.', expected: '1', actual: '2' },
    repeated: false,
    unchanged: false,
    tokens: { prompt: 0, completion: 0 },
    seconds: { proposal: 0, execution: 0 },
  };
}

test('a new function is runnable', async () => {
  const candidate = 'def join(words, by=", "):\n    return by.join(words)\n';
  expect(await look(candidate)).toEqual({ candidate, verdict: null, repeated: false, unchanged: false });
});

test('no function', async () => {
  expect(await look('It skips the first word.')).toEqual({
    candidate: null,
    verdict: { kind: 'no-code', message: 'The completion holds no code of join.' },
    repeated: false,
    unchanged: false,
  });
});

test('code that Python rejects, although its syntax tree has no error', async () => {
  const { verdict } = await look(
    'def join(words, by=", "):\n    words = 1\n    nonlocal words\n    return words\n',
  );
  expect(verdict).toMatchObject({ kind: 'syntax', exception: { type: 'SyntaxError', line: 3 } });
});

test('a changed signature, by position or by a name that the tests use', async () => {
  const body = '    return by.join(words)\n';
  const { verdict } = await look(`def join(words, by):\n${body}`);
  expect(verdict).toMatchObject({
    kind: 'signature',
    expected: 'def join(words, by=", ")',
    actual: 'def join(words, by)',
  });
  expect((await look(`def join(words, between=", "):\n${body}`)).verdict?.kind).toBe('signature');
  expect((await look(`def join(parts, by="; "):\n${body}`)).verdict).toBeNull();
});

test('the syntax tree of an earlier attempt, in another layout, gets its verdict', async () => {
  const attempts = [earlier('def join(words, by=", "):\n    return by.join(words[:1])\n')];
  const completion = "def join(words, by=', '):\n    '''Joins.'''\n    return (by.join(words[:1]))  # new\n";
  expect(await look(completion, attempts)).toMatchObject({
    verdict: attempts[0]?.verdict,
    repeated: true,
    unchanged: false,
  });
});

test('the buggy function counts as repeated but has no verdict', async () => {
  const completion = "def join(words, by = ', '):\n  return by.join( words[1:] )\n";
  expect(await look(completion)).toMatchObject({ verdict: null, repeated: true, unchanged: true });
});

test('code that cannot be run also counts as repeated', async () => {
  const completion = 'def join(words, by=", "):\n    words = 1\n    nonlocal words\n    return words\n';
  const first = await look(completion);
  expect(first.repeated).toBe(false);
  const { candidate, verdict } = first;
  const again = await look(completion, [{ ...earlier(completion), candidate, verdict }]);
  expect(again).toMatchObject({ repeated: true, verdict: { kind: 'syntax' } });
  const last = { ...earlier(completion), candidate, verdict };
  const messages = repeatPrompt(task, last, { answer: 'whole', feedback: 'tests' });
  expect(messages.at(-1)?.content).toMatch(
    /^This was tried before and cannot be run\. That is not valid Python: /,
  );
});
