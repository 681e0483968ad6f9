import { expect, test } from 'vitest';
import { createPrefixStore } from '../../../lib/model/onnx/cache/prefix-store.ts';
import { prefill } from '../../../lib/model/onnx/sequence.ts';
import { largestDifference } from '../build/run-graph.ts';
import { openTestDecoder } from '../test-decoders.ts';

test('a prefix of a sequence in use is copied, not computed again', async () => {
  const { decoder, prompt } = await openTestDecoder('appended caches');
  const store = createPrefixStore(decoder.empty);
  const first = store.take(prompt);
  const expected = (await prefill(first, prompt)).row(0).slice();
  const second = store.take(prompt);
  expect(second.ids).toEqual(prompt.slice(0, -1));
  // Each continues on its own.
  await first.append([5, 6, 7], 1);
  const found = (await prefill(second, prompt)).row(0);
  expect(largestDifference(expected, found)).toBeLessThan(1e-3);
  store.put(first);
  expect(store.take([...prompt, 5, 6, 8]).ids).toEqual([...prompt, 5, 6]);
});
