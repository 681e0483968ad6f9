import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { type LanguageModel, loadLanguageModel } from '../../lib/model/language-model.ts';
import { createPrefixStore } from '../../lib/model/onnx/cache/prefix-store.ts';
import { prefill } from '../../lib/model/onnx/sequence.ts';
import { openTestDecoder, testGraphs } from './test-decoders.ts';

async function openBundled(lookup = true): Promise<LanguageModel> {
  const model = await loadLanguageModel({
    name: 'bundled',
    folder: packageFile('fixtures/model'),
    weightType: 'auto',
    threads: 1,
    device: 'cpu',
    lookup,
    graphs: null,
  });
  onTestFinished(() => model.release());
  return model;
}

const sampling = { temperature: 0, topP: 1, topK: 0, seed: 1 };

test('a prompt and its answer share --max-length, with at least one token for the answer', async () => {
  const model = await openBundled();
  const messages = [{ role: 'user' as const, content: 'def f(a):\n    return a - 1\n' }];
  const ask = (maxLength?: number) => model.generate({ ...sampling, messages, maxNewTokens: 6, maxLength });
  const { promptTokens, completionTokens } = await ask();
  expect(completionTokens).toBe(6);
  expect((await ask(promptTokens + 3)).completionTokens).toBe(3);
  expect(await ask(promptTokens - 1)).toMatchObject({ completionTokens: 1, finish: 'length' });
  expect((await ask(promptTokens + 100)).completionTokens).toBe(6);
});

test('repeated generation does not leak memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const model = await openBundled();
  const ask = async (from: number, to: number): Promise<number> => {
    for (let n = from; n < to; n++) {
      const messages = [{ role: 'user' as const, content: `${n}: def f(a):\n    return a + ${n}\n` }];
      await model.generate({ ...sampling, messages, maxNewTokens: 4 });
    }
    // onnxruntime releases memory some time after it became unused, so the minimum is the memory in use.
    let held = Number.POSITIVE_INFINITY;
    for (let look = 0; look < 10; look++) {
      collect();
      await setImmediate();
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      held = Math.min(held, arrayBuffers + heapUsed);
    }
    return held;
  };
  // As many as the prefix store keeps, and a few more.
  const early = await ask(0, 60);
  const late = await ask(60, 160);
  // The cache of a single prompt is larger than 100 KiB.
  expect(late - early).toBeLessThan(100 * 50 * 1024);
});

test('answers depend neither on earlier requests nor on drafts', async () => {
  const prompts = [
    'def f(a, b):\n    return a - b\n',
    'def f(a, b):\n    return a - b\n\nx = f(1, 2)\n',
    'x',
  ];
  const answers = async (model: LanguageModel, order: readonly number[]) => {
    const all: string[] = [];
    for (const index of order) {
      const messages = [{ role: 'user' as const, content: prompts[index] ?? '' }];
      const { text } = await model.generate({ ...sampling, messages, maxNewTokens: 40 });
      all[index] = text;
    }
    return all;
  };
  const expected = await answers(await openBundled(false), [0, 1, 2]);
  const model = await openBundled();
  expect(await answers(model, [0, 1, 2])).toEqual(expected);
  expect(await answers(model, [2, 1, 0])).toEqual(expected);
  expect(await answers(model, [1, 1, 0, 2])).toEqual(expected);
});

test.each(testGraphs)(
  'a prompt computes only tokens that differ from every cached prompt: %s',
  async kind => {
    const { decoder, prompt } = await openTestDecoder(kind);
    const store = createPrefixStore(decoder.empty);
    const lengthTaken = async (ids: readonly number[]): Promise<number> => {
      const sequence = store.take(ids);
      const { length } = sequence.ids;
      expect(sequence.ids).toEqual(ids.slice(0, length));
      await prefill(sequence, ids);
      store.put(sequence);
      return length;
    };
    const long = [...prompt, 9, 8, 7];
    expect(await lengthTaken(prompt)).toBe(0);
    expect(await lengthTaken(long)).toBe(prompt.length);
    // The last token is computed again, because its logits are needed.
    expect(await lengthTaken(long)).toBe(long.length - 1);
    // Another task's prompt shares only the beginning, which is copied; the first one continues.
    expect(await lengthTaken([...prompt.slice(0, 5), 7, 7, 7])).toBe(5);
    expect(await lengthTaken([...long, 1])).toBe(long.length);
  },
);

test('prefixes over the memory limit are dropped, the least recent first', async () => {
  const { decoder, prompt } = await openTestDecoder('growing caches');
  const fill = async (first: number) => {
    const ids = [first, ...prompt];
    const sequence = store.take(ids);
    const { length } = sequence.ids;
    await prefill(sequence, ids);
    store.put(sequence);
    return { length, bytes: sequence.bytes };
  };
  let store = createPrefixStore(decoder.empty);
  const { bytes } = await fill(1);
  store = createPrefixStore(decoder.empty, { bytes: 2.5 * bytes, sequences: 9 });
  for (const first of [1, 2, 3]) expect((await fill(first)).length).toBe(0);
  expect((await fill(3)).length).toBe(prompt.length);
  expect((await fill(2)).length).toBe(prompt.length);
  expect((await fill(1)).length).toBe(0);
  store = createPrefixStore(decoder.empty, { bytes: 0, sequences: 9 });
  await fill(1);
  // The last one is always kept, because the task's next prompt needs it.
  expect((await fill(1)).length).toBe(prompt.length);
});
