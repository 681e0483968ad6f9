import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createChatTemplate } from '../../lib/model/chat-template.ts';
import { chooseToken } from '../../lib/model/choose-token.ts';
import { openDecoder } from '../../lib/model/decoder.ts';
import { openModelFolder } from '../../lib/model/model-folder.ts';
import { createTokenizer } from '../../lib/model/tokenizer.ts';
import { readGolden, referenceFolder } from './reference-model.ts';

const golden = await readGolden();
const folder = await openModelFolder(referenceFolder);
const tokenizer = createTokenizer(folder.tokenizer, folder.tokenizerConfig, referenceFolder);
const greedy = { temperature: 0, topP: 1, topK: 0 };

test('the prompt is rendered and split into tokens as transformers does', () => {
  const rendered = createChatTemplate(folder.chatTemplate)(golden.messages);
  expect(rendered).toBe(golden.rendered);
  expect(tokenizer.encode(rendered)).toEqual(golden.prompt);
  expect(tokenizer.decode(golden.tokens)).toBe(golden.text);
});

test.each([
  ['model.onnx', 1e-4],
  // Half-precision numbers have 11 bits.
  ['model_fp16cache.onnx', 0.05],
])('the logits of 64 greedy tokens agree with transformers: %s within %d', async (graph, tolerance) => {
  const decoder = await openDecoder(join(referenceFolder, 'onnx', graph), folder.config, 1);
  const expected = await goldenLogits();
  let step = await decoder.forward(golden.prompt, decoder.emptyCache);
  const tokens: number[] = [];
  for (const row of expected) {
    expect(largestDifference(step.logits, row)).toBeLessThan(tolerance);
    const token = chooseToken(step.logits, greedy, Math.random);
    tokens.push(token);
    step = await decoder.forward([token], step.cache);
  }
  if (graph === 'model.onnx') expect(tokens).toEqual(golden.tokens);
  await decoder.release();
});

test('a cache can be continued in pieces of any length, and more than once', async () => {
  const decoder = await openDecoder(folder.onnxFile, folder.config, 1);
  const whole = await decoder.forward(golden.prompt, decoder.emptyCache);
  const start = await decoder.forward(golden.prompt.slice(0, 7), decoder.emptyCache);
  await decoder.forward([3, 4, 5], start.cache);
  const middle = await decoder.forward(golden.prompt.slice(7, 20), start.cache);
  const end = await decoder.forward(golden.prompt.slice(20), middle.cache);
  expect(end.cache.length).toBe(golden.prompt.length);
  expect(largestDifference(end.logits, whole.logits)).toBeLessThan(1e-4);
  await decoder.release();
});

async function goldenLogits(): Promise<Float32Array[]> {
  const bytes = await readFile(join(referenceFolder, 'golden-logits.f32'));
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const { vocab_size } = folder.config;
  return Array.from({ length: all.length / vocab_size }, (_, row) =>
    all.subarray(row * vocab_size, (row + 1) * vocab_size),
  );
}

function largestDifference(one: Float32Array, other: Float32Array): number {
  expect(one.length).toBe(other.length);
  return one.reduce((largest, value, index) => Math.max(largest, Math.abs(value - (other[index] ?? 0))), 0);
}
