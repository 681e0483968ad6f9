import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Beam, GenerateRequest } from '../../lib/core/ports.ts';
import type { Task } from '../../lib/core/task.ts';
import { verdictSchema } from '../../lib/core/verdict.ts';
import { packageFile } from '../../lib/files/package.ts';
import { createOnnxModel } from '../../lib/model/onnx/onnx-model.ts';
import { draftPrompt, reflectPrompt } from '../../lib/repair/prompt/prompts.ts';
import { applyEdits, canonicalEdits, editText, readEdits } from '../../lib/syntax/edits/edits.ts';

const folder = packageFile('fixtures/model');

test('it mostly answers with an edit, ends by itself, and is deterministic', async () => {
  const model = await createOnnxModel({ folder, threads: 1 });
  onTestFinished(() => model.close());
  const examples = await trainingExamples(8);
  const answers = [];
  for (const { task } of examples) answers.push(await model.generate(requestFor(task)));
  const edits = answers.filter(({ finish, text }) => finish === 'stop' && readEdits(text).length > 0);
  expect(edits.length).toBeGreaterThan(examples.length / 2);
  const [first] = examples;
  if (first) expect((await model.generate(requestFor(first.task))).text).toBe(answers[0]?.text);
});

test('most of its likeliest answers are edits that apply', async () => {
  const model = await createOnnxModel({ folder, threads: 1 });
  onTestFinished(() => model.close());
  const examples = await trainingExamples(4);
  let applied = 0;
  for (const { task } of examples) {
    const messages = draftPrompt(task, { answer: 'edit' });
    const found = await model.beams?.({ messages, beams: 8, maxNewTokens: 60 });
    const applies = ({ text }: Beam) => 'code' in applyEdits(task.buggy, readEdits(text));
    if (found?.beams.some(applies)) applied++;
  }
  expect(applied).toBeGreaterThan(examples.length / 2);
});

test('it was trained on the prompt that hefix renders', async () => {
  for (const { task, prompt } of await trainingExamples(20)) {
    const shown = draftPrompt(task, { answer: 'edit' }).find(({ role }) => role === 'user');
    expect(shown?.content).toBe(prompt);
  }
});

test('it was trained on the edit format that hefix applies and writes', async () => {
  for (const { task, answer } of await trainingExamples(40)) {
    expect(applyEdits(task.buggy, readEdits(answer))).toEqual({ code: task.canonical });
    const lines = (text: string) => text.split('\n').length;
    if (lines(task.buggy) === lines(task.canonical)) {
      expect(editText(canonicalEdits(task.buggy, task.canonical))).toBe(answer);
    }
  }
});

test('it was trained on hefix’s wording of failed tests', async () => {
  const failed = (await trainingExamples(40)).filter(({ first }) => first?.remark.includes('\nGot: '));
  expect(failed.length).toBeGreaterThan(0);
  for (const { task, first } of failed) {
    const [, source = '', expected = '', actual = ''] =
      /fails:\n(.*)\nExpected: (.*)\nGot: (.*)\n/.exec(first?.remark ?? '') ?? [];
    const verdict = verdictSchema.parse({
      kind: 'failed',
      message: 'It failed.',
      test: { line: 1, source },
      expected,
      actual,
    });
    const last = { candidate: null, completion: first?.answer ?? '', verdict };
    const messages = reflectPrompt(task, last, { feedback: 'tests', answer: 'edit' });
    expect(messages.slice(-2).map(({ content }) => content)).toEqual([first?.answer, first?.remark]);
  }
});

test('its chat template shows every turn except the system message', async () => {
  const config = JSON.parse(await readFile(join(folder, 'tokenizer_config.json'), 'utf8'));
  expect(config.chat_template).toContain("message.role in ('user', 'assistant')");
});

test('its files stay small', async () => {
  const { size } = await stat(join(folder, 'onnx', 'model.onnx'));
  expect(size).toBeLessThan(24 * 2 ** 20);
});

function requestFor(task: Task): GenerateRequest {
  const messages = draftPrompt(task, { answer: 'edit' });
  return { messages, temperature: 0, topP: 1, topK: 0, maxNewTokens: 100, seed: 1 };
}

/** New examples from the program families, with the prompt as the training scripts write it. */
async function trainingExamples(count: number) {
  const script = `
import json, random
from examples import seeded
from program import read_families
source = random.Random(20261121)
families = read_families()
made = []
while len(made) < ${count}:
    made += seeded(families, source, 1, 0.4)
print(json.dumps(made))`;
  const { stdout } = await execa('python3', ['-B', '-W', 'ignore', '-c', script], {
    cwd: join(folder, 'train'),
  });
  const schema = z.object({
    name: z.string(),
    header: z.string(),
    docstring: z.string(),
    buggy: z.string(),
    code: z.string(),
    prompt: z.string(),
    answer: z.string(),
    first: z.object({ answer: z.string(), remark: z.string() }).nullish(),
  });
  return z
    .array(schema)
    .parse(JSON.parse(stdout))
    .map(({ name, header, docstring, buggy, code, prompt, answer, first }) => ({
      prompt,
      answer,
      first,
      task: {
        id: name,
        language: 'python',
        entryPoint: name,
        declaration: `${header}\n`,
        docstring,
        buggy,
        canonical: code,
        tests: '',
        exampleTests: '',
        bugType: null,
      } satisfies Task,
    }));
}
