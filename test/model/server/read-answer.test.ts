import { describe, expect, test } from 'vitest';
import { withoutEcho } from '../../../lib/model/server/reply/read-answer.ts';
import { asking, openModel } from './open-model.ts';
import { startServer, stream } from './test-server.ts';

const question = 'Repair the function span, which is wrong:\n\ndef span(a):\n    return a\n';
const answer = 'def span(a):\n    return a + 1\n';
const request = asking(question, {
  messages: [
    { role: 'system', content: 'You repair code.' },
    { role: 'user', content: question },
  ],
});

describe('removes a prompt in front of the answer', () => {
  test.each([
    ['as plain text', `system: You repair code.\nuser: ${question}\nassistant: ${answer}`],
    [
      'as ChatML',
      `<|im_start|>system\nYou repair code.<|im_end|>\n<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n${answer}`,
    ],
    ['as Llama has it', `[INST] You repair code.\n\n${question.trim()} [/INST] ${answer}`],
    ['as Alpaca has it', `You repair code.\n### Instruction:\n${question}\n### Response:\n${answer}`],
    ['of its last message alone', `${question}\n${answer}`],
  ])('%s is left out', (_, text) => {
    expect(withoutEcho(request, text)?.trimStart()).toBe(answer);
  });

  test.each([
    ['an answer', answer],
    ['a quotation of a part', `You wrote:\n\ndef span(a):\n    return a\n\nI write:\n${answer}`],
    ['a quotation after a text', `${'I think about it for long. '.repeat(20)}${question}${answer}`],
  ])('is not what %s has', (_, text) => {
    expect(withoutEcho(request, text)).toBeNull();
  });

  test('ignores short prompts', () => {
    expect(withoutEcho(asking('def f'), 'def f(): pass')).toBeNull();
  });
});

test('reports a server that repeats prompts once', async () => {
  const server = await startServer(stream(`user: ${question}`, `assistant: ${answer}`));
  const model = openModel(server);
  expect((await model.generate(request)).text.trim()).toBe(answer.trim());
  await model.generate(request);
  expect(model.warnings).toEqual([
    `${server.baseUrl} repeats the prompt before its answers; hefix removes the repetition.`,
  ]);
});
