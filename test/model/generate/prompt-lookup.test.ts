import { expect, test } from 'vitest';
import { seededRandom } from '../../../lib/core/random.ts';
import { generateTokens } from '../../../lib/model/generate/generate-tokens.ts';
import { createPromptLookup, type PromptLookup } from '../../../lib/model/generate/prompt-lookup.ts';
import { prefill } from '../../../lib/model/onnx/sequence.ts';
import { openTestDecoder, testGraphs } from '../test-decoders.ts';

test('drafts the continuation of the longest match, the latest among equals', () => {
  const lookup = createPromptLookup();
  expect(lookup.draft([1, 2, 3, 4, 9, 2, 3, 5, 6, 2, 3], 2)).toEqual([5, 6]);
  expect(lookup.draft([1, 2, 3, 4, 9, 2, 3, 5, 6, 1, 2, 3], 2)).toEqual([4, 9]);
  expect(lookup.draft([7, 7, 7, 7], 3)).toEqual([7]);
  expect(lookup.draft([1, 2, 3, 2], 3)).toEqual([]);
  expect(lookup.draft([1], 3)).toEqual([]);
  expect(lookup.draft([1, 2, 3, 1, 2], 0)).toEqual([]);
});

test('the draft grows while it is accepted and shrinks while it is not', () => {
  const lookup = createPromptLookup();
  const history = Array.from({ length: 100 }, (_, n) => n % 40);
  const length = () => lookup.draft(history, 100).length;
  const first = length();
  lookup.learn(first, first);
  const longer = length();
  expect(longer).toBeGreaterThan(first);
  for (let pass = 0; pass < 8; pass++) lookup.learn(length(), 0);
  expect(length()).toBe(1);
  lookup.learn(1, 1);
  expect(length()).toBe(2);
});

/** Drafts nonsense, and now and then the answer of a known model. */
function draftOf(right: readonly number[], promptLength: number): PromptLookup {
  return {
    draft: (history, limit) => {
      const next = right.slice(history.length - promptLength, history.length - promptLength + 5);
      return [...next.slice(0, history.length % 5), 5, 6].slice(0, limit);
    },
    learn: () => {},
  };
}

async function generate(
  kind: (typeof testGraphs)[number],
  lookup: PromptLookup | null | ((promptLength: number) => PromptLookup),
  sampling = { temperature: 0, topP: 1, topK: 0 },
  seed = 1,
) {
  const { decoder, prompt } = await openTestDecoder(kind);
  const sequence = decoder.empty.fork(0);
  const logits = await prefill(sequence, prompt);
  const tokens: number[] = [];
  const end = await generateTokens({
    sequence,
    logits,
    sampling,
    random: seededRandom(seed),
    endIds: new Set(),
    maxNewTokens: 40,
    lookup: typeof lookup === 'function' ? lookup(prompt.length) : lookup,
    model: 'test',
    onToken: id => tokens.push(id),
  });
  return { tokens, end, kept: sequence.ids.slice(prompt.length) };
}

test.each(testGraphs)('greedy tokens do not depend on the drafts: %s', async kind => {
  const plain = await generate(kind, null);
  expect(plain.end).toEqual({ finish: 'length', newTokens: 40, drafted: 0, accepted: 0 });
  const found = await generate(kind, createPromptLookup());
  expect(found.tokens).toEqual(plain.tokens);
  const mixed = await generate(kind, length => draftOf(plain.tokens, length));
  expect(mixed.tokens).toEqual(plain.tokens);
  expect(mixed.end.accepted).toBeGreaterThan(10);
  expect(mixed.end.drafted).toBeGreaterThan(mixed.end.accepted);
  // The sequence keeps the whole text for the next prompt.
  expect(plain.tokens.slice(0, mixed.kept.length)).toEqual(mixed.kept);
  expect(mixed.kept.length).toBeGreaterThan(35);
});

test('the same seed samples the same tokens with and without drafts', async () => {
  const sampling = { temperature: 1, topP: 0.95, topK: 0 };
  for (const seed of [1, 2, 3]) {
    const plain = await generate('growing caches', null, sampling, seed);
    const mixed = await generate('growing caches', length => draftOf(plain.tokens, length), sampling, seed);
    expect(mixed.tokens).toEqual(plain.tokens);
    expect(mixed.end.accepted).toBeGreaterThan(0);
  }
});

test('sampling has the same distribution with and without drafts', async () => {
  const { decoder, prompt, vocabulary } = await openTestDecoder('growing caches');
  const sequence = decoder.empty.fork(0);
  await prefill(sequence, prompt);
  const sample = async (seed: number, lookup: PromptLookup | null): Promise<number[]> => {
    const own = sequence.fork(prompt.length - 1);
    const tokens: number[] = [];
    await generateTokens({
      sequence: own,
      logits: await own.append(prompt.slice(-1), 1),
      // A low temperature, so that a few tokens have most of the mass and chi-square has enough of each.
      sampling: { temperature: 0.3, topP: 1, topK: 6 },
      random: seededRandom(seed),
      endIds: new Set(),
      maxNewTokens: 3,
      lookup,
      model: 'test',
      onToken: id => tokens.push(id),
    });
    return tokens;
  };
  const rounds = 400;
  const counts = [new Float64Array(vocabulary), new Float64Array(vocabulary)];
  let drafted = 0;
  const likely = (await sample(1, null)).slice(1);
  const lookup: PromptLookup = {
    draft: (_, limit) => likely.slice(0, limit),
    learn: length => {
      drafted += length;
    },
  };
  for (let round = 0; round < rounds; round++) {
    // Different seeds, so that the two samples are independent.
    for (const [index, tokens] of [
      await sample(round, null),
      await sample(round + 10_000, lookup),
    ].entries()) {
      for (const id of tokens) counts[index]![id]! += 1;
    }
  }
  expect(drafted).toBeGreaterThan(0);
  const [plain = new Float64Array(), speculative = new Float64Array()] = counts;
  let chiSquare = 0;
  let kinds = 0;
  for (let id = 0; id < vocabulary; id++) {
    const both = plain[id]! + speculative[id]!;
    if (both < 10) continue;
    kinds++;
    chiSquare += (plain[id]! - speculative[id]!) ** 2 / both;
  }
  expect(kinds).toBeGreaterThan(3);
  // The mean of chi-square is `kinds`, its variance twice that; the seeds are fixed, so the test is
  // deterministic.
  expect(chiSquare).toBeLessThan(kinds + 4 * Math.sqrt(2 * kinds));
});
