import { expect, test } from 'vitest';
import type { Attempt } from '../../../lib/core/attempt.ts';
import type { TextModel } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import { modelPromptTooLong, modelScriptEnded } from '../../../lib/model/errors.ts';
import { styleOf } from '../../../lib/repair/actors/create-actors.ts';
import { ask } from '../../../lib/repair/propose/propose.ts';

const task: Task = {
  id: 'test/f',
  language: 'python',
  entryPoint: 'f',
  declaration: 'def f(x):\n',
  docstring: 'Doubles x.',
  buggy: 'def f(x):\n    return x\n',
  canonical: '',
  tests: '',
  exampleTests: '',
  bugType: null,
};
const attempts = ['one', 'two', 'three'].map(
  (name, iteration): Attempt => ({
    iteration,
    node: 'reflect',
    temperature: 0,
    prompt: [],
    completion: `{"name": "run_code", "arguments": {"code": "def f(x): return '${name}'"}}`,
    candidate: `def f(x): return '${name}'`,
    verdict: { kind: 'failed', message: 'Not so.' },
    repeated: false,
    unchanged: false,
    tokens: { prompt: 0, completion: 0 },
    seconds: { proposal: 0, execution: 0 },
  }),
);
const sampling = { temperature: 0, topP: 1, topK: 0, maxNewTokens: 9, seed: 1 };
const input = { task, node: 'reflect', iteration: 3, temperature: 0, attempts } as const;

/** A model whose context fits so many messages. */
function modelFor(limit: number): TextModel {
  return {
    name: 'short',
    fingerprint: 'short',
    generate: async ({ messages }) => {
      if (messages.length > limit) throw modelPromptTooLong(messages.length, limit);
      return { text: 'f', promptTokens: messages.length, completionTokens: 1, finish: 'stop' };
    },
    close: async () => {},
  };
}
const conversation = await styleOf({ agent: 'tools', feedback: 'tests' }, false);

test('drops the oldest attempts from a prompt that is too long, and records what was sent', async () => {
  expect((await ask(modelFor(8), conversation, input, sampling, {})).prompt).toHaveLength(8);
  const { prompt } = await ask(modelFor(5), conversation, input, sampling, {});
  expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(prompt[2]?.content).toContain('three');
});

test('never drops the last attempt; the task is then too long', async () => {
  await expect(ask(modelFor(3), conversation, input, sampling, {})).rejects.toMatchObject({
    code: 'MODEL_PROMPT_TOO_LONG',
  });
});

test('a prompt with only the last attempt cannot be shortened and is sent once', async () => {
  let asked = 0;
  const model = modelFor(1);
  const counted: TextModel = {
    ...model,
    generate: (request, options) => {
      asked++;
      return model.generate(request, options);
    },
  };
  const code = await styleOf({ agent: 'reflect', feedback: 'tests' }, false);
  await expect(ask(counted, code, input, sampling, {})).rejects.toMatchObject({
    code: 'MODEL_PROMPT_TOO_LONG',
  });
  expect(asked).toBe(1);
});

test('does not retry other failures', async () => {
  const error = modelScriptEnded('s', 0);
  const model: TextModel = { ...modelFor(9), generate: () => Promise.reject(error) };
  await expect(ask(model, conversation, input, sampling, {})).rejects.toBe(error);
});

test('an answer ends with its function: at its closing fence, or after the body that a protocol started', async () => {
  const whole = await styleOf({ agent: 'reflect', feedback: 'tests' }, false);
  const begun = await styleOf({ agent: 'one-shot', feedback: 'none', protocol: 'humanevalfixdocs' }, false);
  const edits = await styleOf({ agent: 'reflect', feedback: 'tests', answer: 'edit' }, false);
  const declaration = 'def f(x):\n';
  const published = { prompt: `${declaration}    """Doubles x."""\n`, declaration, tests: '' };
  const described = { ...input, task: { ...task, published } };
  const [one, other, none] = [whole, begun, edits].map(style => style.request(described).endAfter);
  expect([one, other, none]).toEqual(['fence', 'body', undefined]);
});
