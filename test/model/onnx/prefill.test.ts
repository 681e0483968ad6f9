import { afterAll, expect, test } from 'vitest';
import type { GenerateRequest } from '../../../lib/core/ports.ts';
import { createOnnxModel } from '../../../lib/model/onnx/onnx-model.ts';
import { readGolden, referenceFolder } from '../reference-model.ts';

const golden = await readGolden();
const model = await createOnnxModel({ folder: referenceFolder, threads: 1 });
afterAll(() => model.close());

function ask(changes: Partial<GenerateRequest> = {}) {
  const sampling = { temperature: 0, topP: 1, topK: 0, maxNewTokens: 32, seed: 1 };
  return model.generate({ messages: golden.messages, ...sampling, ...changes });
}

test('raw: the message is the prompt; the rendered template gives the same answer', async () => {
  const raw = await ask({ messages: [{ role: 'user', content: golden.rendered }], raw: true });
  expect(raw).toMatchObject({ text: (await ask()).text, promptTokens: golden.prompt.length });
});

test('a prefill ends the prompt, after the template', async () => {
  const prefill = 'def f(x):';
  const raw = [{ role: 'user', content: golden.rendered + prefill } as const];
  const begun = await ask({ prefill });
  expect(begun.promptTokens).toBeGreaterThan(golden.prompt.length);
  expect(begun.text).toBe((await ask({ messages: raw, raw: true })).text);
});

test('the text ends before a stop sequence, and generation stops', async () => {
  const whole = await ask();
  const stop = whole.text.slice(10, 14);
  const cut = await ask({ stop: ['never written', stop] });
  expect(cut.text).toBe(whole.text.slice(0, whole.text.indexOf(stop)));
  expect(cut.finish).toBe('stop');
  expect(cut.completionTokens).toBeLessThan(whole.completionTokens);
});
