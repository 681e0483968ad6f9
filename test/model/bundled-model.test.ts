import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createOnnxModel } from '../../lib/model/onnx-model.ts';
import { packageFile } from '../../lib/package-root.ts';
import type { GenerateRequest } from '../../lib/ports.ts';
import { draftPrompt } from '../../lib/prompt/draft.ts';
import type { Task } from '../../lib/task.ts';

const folder = packageFile('fixtures/model');

test('it mostly answers with the function in a fence, ends by itself, and says the same again', async () => {
  const model = await createOnnxModel({ folder, threads: 1 });
  onTestFinished(() => model.close());
  const examples = await trainingExamples(8);
  const answers = [];
  for (const { task } of examples) answers.push(await model.generate(requestFor(task)));
  const whole = answers.filter(({ finish, text }, index) => {
    const name = examples[index]?.task.entryPoint;
    return (
      finish === 'stop' &&
      text.startsWith('```python\n') &&
      text.endsWith('\n```') &&
      text.includes(`def ${name}(`)
    );
  });
  expect(whole.length).toBeGreaterThan(examples.length / 2);
  const [first] = examples;
  if (first) expect((await model.generate(requestFor(first.task))).text).toBe(answers[0]?.text);
});

test('it was trained on the prompt that hefix renders', async () => {
  for (const { task, prompt } of await trainingExamples(20)) {
    const shown = draftPrompt(task).find(({ role }) => role === 'user');
    expect(shown?.content).toBe(prompt);
  }
});

test('its files stay small', async () => {
  const graph = await readFile(join(folder, 'onnx', 'model.onnx'));
  expect(graph.byteLength).toBeLessThan(8 * 2 ** 20);
});

function requestFor(task: Task): GenerateRequest {
  return { messages: draftPrompt(task), temperature: 0, topP: 1, topK: 0, maxNewTokens: 300, seed: 1 };
}

/** Fresh examples from the program families, with the prompt as the training scripts write it. */
async function trainingExamples(count: number) {
  const script = `
import json, random
from examples import make
source = random.Random(20261120)
made = []
while len(made) < ${count}:
    example = make(source)
    if example:
        made.append(example)
print(json.dumps(made))`;
  const { stdout } = await execa('python3', ['-B', '-c', script], { cwd: join(folder, 'train') });
  const schema = z.object({
    name: z.string(),
    header: z.string(),
    docstring: z.string(),
    buggy: z.string(),
    code: z.string(),
    prompt: z.string(),
  });
  return z
    .array(schema)
    .parse(JSON.parse(stdout))
    .map(({ name, header, docstring, buggy, code, prompt }) => ({
      prompt,
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
