import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import type { TextModel } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { createOnnxModel } from '../../../lib/model/onnx/onnx-model.ts';
import { answerOf, singleEdits } from '../../../lib/repair/candidates.ts';
import {
  fenced,
  promptForCode,
  promptWithCode,
  taskMessages,
} from '../../../lib/repair/prompt/task-messages.ts';
import { rank } from '../../../lib/repair/propose/propose.ts';
import { openParser, type SyntaxParser } from '../../../lib/syntax/parser.ts';

let model: TextModel;
let task: Task;
let edits: string[];
let parser: SyntaxParser;
beforeAll(async () => {
  model = await createOnnxModel({ folder: packageFile('fixtures/model'), threads: 1 });
  const [first] = (await loadDataset('mini')).tasks;
  if (!first) throw new Error('the mini set is empty');
  task = first;
  parser = await openParser('python');
  edits = [...singleEdits(parser, task, 400)].filter(edit => edit !== null);
});
afterAll(() => model.close());

async function ranked(by: TextModel, of: Task, given: readonly string[], answer: 'edit' | 'whole') {
  const origin = { kind: 'edit', rank: 1, of: 1 } as const;
  const candidates = given.map(code => ({ code, origin }));
  const time = { limit: 60, spent: 0, overruns: 0, skipsFirst: false };
  const input = { task: of, candidates, prompt: null, iteration: 0, temperature: 0, time };
  const { order, prompt, tokens } = await rank(
    { model: by, options: { answer, seed: 1 } },
    input,
    AbortSignal.timeout(60_000),
  );
  return { order, prompt, tokens, edits: order.map(at => given[at] ?? '') };
}

test('a prompt that is too long leaves the order, any other error of the model ends the ranking', async () => {
  const failing = (code: string) => ({
    ...model,
    score: () => Promise.reject(Object.assign(new Error('no'), { code })),
  });
  const kept = await ranked(failing('MODEL_PROMPT_TOO_LONG'), task, edits, 'edit');
  expect(kept.edits).toEqual(edits);
  await expect(ranked(failing('MODEL_BROKEN'), task, edits, 'edit')).rejects.toMatchObject({
    code: 'MODEL_BROKEN',
  });
});

test('the bundled model ranks by edit and function, and the rest keep their order', async () => {
  const found = await ranked(model, task, edits, 'edit');
  expect(found.prompt).toEqual(taskMessages(task, 'edit'));
  expect(found.edits.toSorted()).toEqual(edits.toSorted());
  const first = found.edits.slice(0, 10);
  const last = found.edits.slice(-100);
  expect(last.slice(-20)).toEqual(edits.filter(edit => last.slice(-20).includes(edit)));
  const all = await model.score?.({
    messages: taskMessages(task, 'edit'),
    answers: [...first, ...last].map(code => answerOf(task, { code })),
  });
  const likelihoods = all?.logLikelihoods ?? [];
  expect(Math.min(...likelihoods.slice(0, 10))).toBeGreaterThan(Math.max(...likelihoods.slice(10)));
  const codes = first.map(edit => promptWithCode(task, edit).code);
  const { before } = promptWithCode(task, task.buggy);
  const messages = [{ role: 'user' as const, content: before }];
  const inPrompt = await model.score?.({ messages, answers: codes, continues: true });
  const weighed = first.map(
    (_, place) => (likelihoods[place] ?? 0) + 0.7 * (inPrompt?.logLikelihoods[place] ?? 0),
  );
  for (const [place, value] of weighed.entries()) {
    expect(value).toBeLessThan((weighed[place - 1] ?? 0) + 1e-2);
  }
  expect(found.tokens.prompt).toBe((all?.promptTokens ?? 0) + (inPrompt?.promptTokens ?? 0));
});

test('ranks whole functions for a model that writes functions, as answers and after the description', async () => {
  const some = edits.slice(0, 12);
  const found = await ranked(model, task, some, 'whole');
  expect(found.edits.toSorted()).toEqual(some.toSorted());
  expect(found.prompt).toEqual(taskMessages(task, 'whole'));
  const codes = found.edits;
  const asAnswers = await model.score?.({
    messages: taskMessages(task, 'whole'),
    answers: codes.map(code => fenced('python', code)),
  });
  const { before } = promptForCode(task, task.buggy);
  expect(before).toContain(task.docstring.trim());
  expect(before).not.toContain(task.buggy.trim());
  const described = await model.score?.({
    messages: [{ role: 'user', content: before }],
    answers: codes.map(code => promptForCode(task, code).code),
    continues: true,
  });
  const weighed = codes.map(
    (_, place) => (asAnswers?.logLikelihoods[place] ?? 0) + 1.5 * (described?.logLikelihoods[place] ?? 0),
  );
  for (const [place, value] of weighed.entries()) {
    expect(value).toBeLessThan((weighed[place - 1] ?? 0) + 1e-2);
  }
  expect(found.tokens.prompt).toBe((asAnswers?.promptTokens ?? 0) + (described?.promptTokens ?? 0));
});

test('a task that is too long for the model keeps the fixed order', async () => {
  const long = { ...task, docstring: 'a word '.repeat(3000) };
  expect(await ranked(model, long, edits, 'edit')).toMatchObject({ edits, prompt: [] });
});

test('a model without likelihoods keeps it too', async () => {
  const silent: TextModel = {
    name: 'silent',
    fingerprint: 'silent',
    generate: () => Promise.reject(new Error('not asked to write')),
    close: async () => {},
  };
  expect(await ranked(silent, task, edits, 'edit')).toMatchObject({ edits, prompt: [] });
});
