import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { createOnnxModel } from '../../lib/model/onnx-model.ts';
import { packageFile } from '../../lib/package-root.ts';
import type { TextModel } from '../../lib/ports.ts';
import { taskMessages } from '../../lib/prompt/task-messages.ts';
import { singleEdits } from '../../lib/search/candidates.ts';
import { rankEdits } from '../../lib/search/rank.ts';
import { openParser } from '../../lib/syntax/parser.ts';
import type { Task } from '../../lib/task.ts';

let model: TextModel;
let task: Task;
let edits: string[];
beforeAll(async () => {
  model = await createOnnxModel({ folder: packageFile('fixtures/model'), threads: 1 });
  const [first] = (await loadDataset('mini')).tasks;
  if (!first) throw new Error('the mini set is empty');
  task = first;
  edits = singleEdits(await openParser('python'), task, 400);
});
afterAll(() => model.close());

test('the bundled model puts first what it would write likeliest, and the others follow as they were', async () => {
  const ranked = await rankEdits(model, task, edits, 'edit');
  const messages = taskMessages(task, 'edit');
  const all = await model.score?.({ messages, answers: edits });
  const best = all?.logLikelihoods
    .map((likelihood, place) => ({ likelihood, edit: edits[place] }))
    .toSorted((a, b) => b.likelihood - a.likelihood);
  expect(ranked?.edits.slice(0, 20)).toEqual(best?.slice(0, 20).map(({ edit }) => edit));
  expect(ranked?.edits.toSorted()).toEqual(edits.toSorted());
  const last = ranked?.edits.slice(-20) ?? [];
  expect(last).toEqual(edits.filter(edit => last.includes(edit)));
  expect(ranked?.tokens.prompt).toBe(all?.promptTokens);
}, 120_000);

test('functions are ranked for a model that writes functions', async () => {
  const some = edits.slice(0, 12);
  const ranked = await rankEdits(model, task, some, 'whole');
  expect(ranked?.edits.toSorted()).toEqual(some.toSorted());
  expect(ranked?.messages).toEqual(taskMessages(task, 'whole'));
}, 120_000);

test('a task that is too long for the model keeps its fixed order', async () => {
  const long = { ...task, docstring: 'a word '.repeat(3000) };
  expect(await rankEdits(model, long, edits, 'edit')).toBeNull();
});

test('a model that cannot tell likelihoods ranks nothing', async () => {
  const silent: TextModel = {
    name: 'silent',
    fingerprint: 'silent',
    generate: () => Promise.reject(new Error('not asked to write')),
    close: async () => {},
  };
  expect(await rankEdits(silent, task, edits, 'edit')).toBeNull();
});
