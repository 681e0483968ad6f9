import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Outline } from '../../lib/core/ports.ts';
import { packageFile } from '../../lib/files/package.ts';
import { beamSearch } from '../../lib/model/generate/beam-search.ts';
import { tokenTrie } from '../../lib/model/generate/prefixes.ts';
import { scoreAnswers } from '../../lib/model/generate/score-answers.ts';
import { createOnnxModel } from '../../lib/model/onnx/onnx-model.ts';
import { changeJson, copyOfReference, readGolden } from './reference-model.ts';
import { logSoftmax, openTestDecoder, testGraphs } from './test-decoders.ts';

const unexpected = () => new Error('not numbers');

describe.each(testGraphs)('%s', kind => {
  test('answers with common beginnings get the scores of one full pass each', async () => {
    const { decoder, prompt, vocabulary } = await openTestDecoder(kind);
    const answers = [[5, 6, 7], [5, 6, 8, 9, 10], [], [5, 6], [11], [5, 12, 13, 14], [5, 6, 7], [9, 6, 8]];
    const endIds = new Set([3, 4]);
    const sequence = decoder.empty.fork(0);
    const logits = await sequence.append(prompt, 1);
    const { logLikelihoods: scores } = await scoreAnswers({
      prompt: sequence,
      logits,
      answers,
      endIds,
      onInvalidLogits: unexpected,
    });
    expect(sequence.ids).toEqual(prompt);
    for (const [index, answer] of answers.entries()) {
      const rows = await decoder.empty.fork(0).append([...prompt, ...answer], answer.length + 1);
      const chances = Array.from({ length: rows.rows }, (_, row) => logSoftmax(rows.row(row)));
      const ended = Math.log(Math.exp(chances.at(-1)?.[3] ?? 0) + Math.exp(chances.at(-1)?.[4] ?? 0));
      const expected = answer.reduce((sum, id, row) => sum + (chances[row]?.[id] ?? 0), ended);
      expect(scores[index]).toBeCloseTo(expected, 3);
    }
    expect(scores[0]).toBe(scores[6]);
    expect(Math.max(...answers.flat())).toBeLessThan(vocabulary);
  });

  test('requesting only the likeliest gives the same scores, and none for the others', async () => {
    const { decoder, prompt } = await openTestDecoder(kind);
    const answers = Array.from({ length: 60 }, (_, n) => [
      5 + (n % 4),
      6 + (n % 7),
      ...(n % 3 ? [20 + n] : []),
    ]);
    const score = async (limit?: number) => {
      const sequence = decoder.empty.fork(0);
      const logits = await sequence.append(prompt, 1);
      const endIds = new Set([3]);
      return await scoreAnswers({
        prompt: sequence,
        logits,
        answers,
        endIds,
        limit,
        onInvalidLogits: unexpected,
      });
    };
    const all = await score();
    const different = [...new Set(all.logLikelihoods)].toSorted((a, b) => b - a);
    for (const limit of [1, 5, 1000]) {
      const { logLikelihoods, newTokens } = await score(limit);
      const least = different[Math.min(limit, different.length) - 1] ?? 0;
      for (const [index, exact] of all.logLikelihoods.entries()) {
        const found = logLikelihoods[index] ?? 0;
        if (exact >= least + 1e-3 || found !== Number.NEGATIVE_INFINITY) expect(found).toBeCloseTo(exact, 3);
      }
      expect(newTokens).toBeGreaterThan(0);
      const wanted = logLikelihoods.filter(found => found >= least - 1e-3);
      expect(new Set(wanted).size).toBe(Math.min(limit, different.length));
    }
  });

  test('beam search with as many beams as answers equals exhaustive search', async () => {
    const { decoder, prompt, vocabulary } = await openTestDecoder(kind);
    const end = 3;
    const sequence = decoder.empty.fork(0);
    const logits = await sequence.append(prompt, 1);
    const first = logSoftmax(logits.row(0));
    const tried = [{ ids: [] as number[], logLikelihood: first[end] ?? 0 }];
    for (let id = 0; id < vocabulary; id++) {
      if (id === end) continue;
      const one = decoder.empty.fork(0);
      const next = logSoftmax((await one.append([...prompt, id], 1)).row(0));
      tried.push({ ids: [id], logLikelihood: (first[id] ?? 0) + (next[end] ?? 0) });
    }
    tried.sort((one, other) => other.logLikelihood - one.logLikelihood);
    const again = await sequence.fork(prompt.length - 1).append(prompt.slice(-1), 1);
    const { hypotheses } = await beamSearch({
      prompt: sequence,
      logits: again,
      beams: vocabulary,
      maxNewTokens: 2,
      endIds: new Set([end]),
      onInvalidLogits: unexpected,
    });
    expect(hypotheses.length).toBe(vocabulary);
    for (const [place, { ids, logLikelihood }] of hypotheses.slice(0, 20).entries()) {
      expect(ids).toEqual(tried[place]?.ids);
      expect(logLikelihood).toBeCloseTo(tried[place]?.logLikelihood ?? 0, 3);
    }
  });

  test('fewer beams give fewer answers, likeliest first, with correct scores', async () => {
    const { decoder, prompt } = await openTestDecoder(kind);
    const endIds = new Set([3, 17, 40, 41, 42]);
    const sequence = decoder.empty.fork(0);
    const logits = await sequence.append(prompt, 1);
    const { hypotheses, newTokens } = await beamSearch({
      prompt: sequence,
      logits,
      beams: 4,
      maxNewTokens: 12,
      endIds,
      onInvalidLogits: unexpected,
    });
    const likelihoods = hypotheses.map(({ logLikelihood }) => logLikelihood);
    expect(hypotheses.length).toBe(4);
    expect(likelihoods).toEqual([...likelihoods].sort((one, other) => other - one));
    expect(newTokens).toBeLessThanOrEqual(4 * 12);
    const { logLikelihoods: scores } = await scoreAnswers({
      prompt: sequence,
      logits: await sequence.fork(prompt.length - 1).append(prompt.slice(-1), 1),
      answers: hypotheses.map(({ ids }) => ids),
      endIds,
      onInvalidLogits: unexpected,
    });
    for (const [index, score] of scores.entries()) expect(score).toBeCloseTo(likelihoods[index] ?? 0, 3);
  });

  test('beam search within an outline equals scoring everything allowed', async () => {
    const { decoder, prompt } = await openTestDecoder(kind);
    const endIds = new Set([3]);
    const answers = Array.from({ length: 24 }, (_, n) => [
      5 + (n % 3),
      8 + n,
      ...(n % 2 ? [40 + (n % 5)] : []),
    ]);
    const texts = new Map(answers.map(ids => [ids.join(' '), ids]));
    const idsOf = (text: string) => text.split(' ').map(Number);
    const sequence = decoder.empty.fork(0);
    const logits = await sequence.append(prompt, 1);
    const search = async (outline: Outline, beams: number) => {
      const again = await sequence.fork(prompt.length - 1).append(prompt.slice(-1), 1);
      const { hypotheses } = await beamSearch({
        prompt: sequence,
        logits: again,
        beams,
        maxNewTokens: 4,
        endIds,
        outline: tokenTrie(outline, idsOf),
        onInvalidLogits: unexpected,
      });
      return hypotheses;
    };
    const { logLikelihoods } = await scoreAnswers({
      prompt: sequence,
      logits,
      answers,
      endIds,
      onInvalidLogits: unexpected,
    });
    const expected = logLikelihoods.toSorted((one, other) => other - one);
    const found = await search({ beginnings: [], whole: [...texts.keys()] }, 100);
    expect(new Set(found.map(({ ids }) => ids.join(' ')))).toEqual(new Set(texts.keys()));
    for (const [place, { logLikelihood }] of found.entries()) {
      expect(logLikelihood).toBeCloseTo(expected[place] ?? 0, 3);
    }
    const begun = await search({ beginnings: ['9 10', '11'], whole: ['12'] }, 6);
    expect(begun.length).toBe(6);
    for (const { ids } of begun) expect(ids.join(' ')).toMatch(/^(9 10( |$)|11( |$)|12$)/);
  });
});

describe('likelihoods through the thread', () => {
  test('one beam is the greedy answer, scored with its likelihood', async () => {
    const folder = await copyOfReference();
    const golden = await readGolden();
    await changeJson(join(folder, 'generation_config.json'), { eos_token_id: golden.tokens[11] });
    const model = await createOnnxModel({ folder, threads: 1 });
    onTestFinished(() => model.close());
    const { messages } = golden;
    const greedy = { messages, temperature: 0, topP: 1, topK: 0, maxNewTokens: 30, seed: 1 };
    const { text } = await model.generate(greedy);
    const searched = await model.beams?.({ messages, beams: 1, maxNewTokens: 30 });
    expect(searched?.promptTokens).toBe(golden.prompt.length);
    // The search continues past an unlikely end, so it may return another answer: both are scored.
    const answers = [text, searched?.beams[0]?.text ?? ''];
    const scored = await model.score?.({ messages, answers });
    expect(scored).toMatchObject({ promptTokens: golden.prompt.length, seconds: expect.any(Number) });
    expect(searched?.beams[0]?.logLikelihood).toBeGreaterThanOrEqual((scored?.logLikelihoods[0] ?? 0) - 1e-3);
  });

  test('the bundled model can score many answers to one prompt, and be aborted', async () => {
    const model = await createOnnxModel({ folder: packageFile('fixtures/model'), threads: 1 });
    onTestFinished(() => model.close());
    const messages = [{ role: 'user' as const, content: 'def f(a, b):\n    return a - b\n'.repeat(8) }];
    const answers = Array.from({ length: 120 }, (_, n) => `@${n % 9}\n-a - ${n}\n+a + ${n * 7}\n`);
    const scored = await model.score?.({ messages, answers });
    expect(scored?.logLikelihoods.length).toBe(120);
    expect(scored?.logLikelihoods.every(score => Number.isFinite(score) && score < 0)).toBe(true);
    const controller = new AbortController();
    const stopped = model.score?.({ messages, answers }, { signal: controller.signal });
    controller.abort('enough');
    await expect(stopped).rejects.toBe('enough');
    const [alone] = (await model.score?.({ messages, answers: answers.slice(7, 8) }))?.logLikelihoods ?? [];
    expect(alone).toBeCloseTo(scored?.logLikelihoods[7] ?? 0, 3);
  });

  test('a continuation of the last message scores the sum of its parts', async () => {
    const model = await createOnnxModel({ folder: packageFile('fixtures/model'), threads: 1 });
    onTestFinished(() => model.close());
    const likelihood = async (content: string, answer: string, continues = true) => {
      const messages = [{ role: 'user' as const, content }];
      const scored = await model.score?.({ messages, answers: [answer], continues });
      return { value: scored?.logLikelihoods[0] ?? Number.NaN, promptTokens: scored?.promptTokens ?? 0 };
    };
    const begun = 'def f(a):\n';
    const [first, second] = ['    return a\n', 'print(f(1))\n'];
    const whole = await likelihood(begun, first + second);
    const parts = [await likelihood(begun, first), await likelihood(begun + first, second)];
    expect(whole.value).toBeCloseTo(
      parts.reduce((sum, { value }) => sum + value, 0),
      3,
    );
    // An answer follows the template's separator, and is complete.
    const answered = await likelihood(begun, first, false);
    expect(answered.promptTokens).toBeGreaterThan(whole.promptTokens);
    expect(answered.value).toBeLessThan(parts[0]?.value ?? 0);
  });
});
