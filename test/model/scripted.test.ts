import { expect, test } from 'vitest';
import { createScriptedModel } from '../../lib/model/scripted.ts';

const request = {
  messages: [{ role: 'user' as const, content: 'Fix it, please.' }],
  temperature: 0,
  topP: 1,
  topK: 0,
  maxNewTokens: 100,
  seed: 1,
};

test('answers in order, streams the text, and rejects after the last answer', async () => {
  const model = createScriptedModel({ completions: ['def f():\n    return 1\n', ''] });
  const pieces: string[] = [];
  const first = await model.generate(request, { onText: piece => pieces.push(piece) });
  expect(first).toEqual({
    text: 'def f():\n    return 1\n',
    promptTokens: 3,
    completionTokens: 4,
    finish: 'stop',
  });
  expect(pieces.join('')).toBe(first.text);
  expect(pieces.length).toBe(4);
  expect(await model.generate(request)).toMatchObject({ text: '', completionTokens: 0, finish: 'stop' });
  await expect(model.generate(request)).rejects.toMatchObject({ code: 'MODEL_SCRIPT_ENDED' });
});

test('respects the limit on new tokens', async () => {
  const model = createScriptedModel({ completions: ['one two three'] });
  expect(await model.generate({ ...request, maxNewTokens: 2 })).toMatchObject({
    text: 'one two ',
    completionTokens: 2,
    finish: 'length',
  });
});

test('an aborted request rejects with the reason', async () => {
  const model = createScriptedModel({ completions: ['one two three'] });
  const controller = new AbortController();
  const answer = model.generate(request, {
    signal: controller.signal,
    onText: () => controller.abort('enough'),
  });
  await expect(answer).rejects.toBe('enough');
});

test('its fingerprint depends on its answers', () => {
  const fingerprint = (...completions: string[]) => createScriptedModel({ completions }).fingerprint;
  expect(fingerprint('a', 'b')).toBe(fingerprint('a', 'b'));
  expect(fingerprint('a', 'b')).not.toBe(fingerprint('ab'));
});
