import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseToken } from '../../lib/model/generate/choose-token.ts';
import { openModelFolder } from '../../lib/model/model-folder.ts';
import { openDecoder } from '../../lib/model/onnx/decoder.ts';
import { createChatTemplate } from '../../lib/model/text/chat-template.ts';
import { createTokenizer } from '../../lib/model/text/tokenizer.ts';
import { readGolden, referenceFolder } from './reference-model.ts';

const golden = await readGolden();
const folder = await openModelFolder(referenceFolder);
const tokenizer = createTokenizer(folder.tokenizer, folder.tokenizerConfig, referenceFolder);
const greedy = { temperature: 0, topP: 1, topK: 0 };

test('the prompt is rendered and tokenised as by transformers', () => {
  const rendered = createChatTemplate(folder.chatTemplate)(golden.messages);
  expect(rendered).toBe(golden.rendered);
  expect(tokenizer.encode(rendered)).toEqual(golden.prompt);
  expect(tokenizer.decode(golden.tokens)).toBe(golden.text);
});

test.each([
  ['model.onnx', 1e-4],
  // Half-precision numbers have 11 bits.
  ['model_fp16cache.onnx', 0.05],
])('the logits of 64 greedy tokens match transformers: %s within %d', async (graph, tolerance) => {
  const decoder = await openDecoder(join(referenceFolder, 'onnx', graph), folder.config, {
    threads: 1,
    device: 'cpu',
  });
  const expected = await goldenLogits();
  const sequence = decoder.empty.fork(0);
  let logits = await sequence.append(golden.prompt, 1);
  const tokens: number[] = [];
  for (const row of expected) {
    expect(largestDifference(logits.row(0), row)).toBeLessThan(tolerance);
    const token = chooseToken(logits.row(0), greedy, Math.random);
    tokens.push(token);
    logits = await sequence.append([token], 1);
  }
  if (graph === 'model.onnx') expect(tokens).toEqual(golden.tokens);
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
