import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { GenerateRequest } from '../../lib/core/ports.ts';
import { packageFile } from '../../lib/files/package.ts';
import { createOnnxModel, startModelThread } from '../../lib/model/onnx/onnx-model.ts';
import { hefix, writeSmallSet } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { changeJson, copyOfReference, referenceFolder } from './reference-model.ts';

/** Two nested loops of ten billion rounds. */
const ENDLESS =
  '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}{{ messages[0].content }}';

const request: GenerateRequest = {
  messages: [{ role: 'user', content: `${'x'.repeat(5_000)}!` }],
  temperature: 0,
  topP: 1,
  topK: 0,
  maxNewTokens: 1,
  seed: 0,
};

const hostile: [string, (folder: string) => Promise<void>][] = [
  ['a chat template that does not end', endlessTemplate],
  [
    'a pattern of the tokenizer that does not end',
    folder =>
      changeJson(join(folder, 'tokenizer.json'), {
        pre_tokenizer: { type: 'Split', pattern: { Regex: '(x+x+)+y' }, behavior: 'Isolated', invert: false },
      }),
  ],
];

test.each(hostile)('%s is stopped and reported', async (_, spoil) => {
  const folder = await copyOfReference();
  await spoil(folder);
  const answer = async () => {
    // On a slow machine, opening the template takes as long.
    const model = await createOnnxModel({ folder, name: 'hostile', threads: 1, textLimitMs: 300 });
    onTestFinished(() => model.close());
    await model.generate(request);
  };
  await expect(answer()).rejects.toMatchObject({
    code: 'MODEL_TEXT_TIMEOUT',
    message: expect.stringContaining('The chat template or the tokenizer of hostile'),
  });
});

test.each([
  ['a list as long as the memory', '{% for a in range(1000000000) %}{% endfor %}'],
  [
    'a list that doubles',
    "{% set ns = namespace(t=['x']) %}{% for a in range(40) %}{% set ns.t = ns.t + ns.t %}{% endfor %}",
  ],
  ['a prompt of five million characters', "{% for a in range(50) %}{{ 'x' * 100000 }}{% endfor %}"],
])('a chat template with %s is an error', async (_, template) => {
  const folder = await copyOfReference();
  await writeFile(join(folder, 'chat_template.jinja'), template);
  const model = await createOnnxModel({ folder, name: 'hostile', threads: 1 });
  onTestFinished(() => model.close());
  await expect(model.generate(request)).rejects.toMatchObject({
    code: 'MODEL_TEMPLATE_FAILED',
    message: expect.stringContaining('chat_template.jinja'),
  });
});

test('a tokenizer that needs too much memory ends the thread, not the process', async () => {
  const thread = startModelThread(
    packageFile('dist/lib/model/onnx/worker.js'),
    {
      ...{ name: 'hostile', folder: referenceFolder, weightType: 'auto', threads: 1 },
      ...{ device: 'cpu', lookup: true, graphs: null },
    },
    { heapMiB: 48 },
  );
  await thread.loaded;
  const messages = [{ role: 'user', content: 'xyz '.repeat(2 ** 19) }] as const;
  await expect(thread.generate({ ...request, messages })).rejects.toMatchObject({
    code: 'MODEL_WORKER_CRASHED',
  });
});

test('a hanging request can be aborted, and the model closed', async () => {
  const folder = await copyOfReference();
  await endlessTemplate(folder);
  const thread = startModelThread(
    packageFile('dist/lib/model/onnx/worker.js'),
    { name: 'x', folder, weightType: 'auto', threads: 1, device: 'cpu', lookup: true, graphs: null },
    { closeMs: 200 },
  );
  await thread.loaded;
  const controller = new AbortController();
  const answer = thread.generate(request, { signal: controller.signal });
  await wait(100);
  controller.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
  await thread.close();
});

test('loading a model can be aborted', async () => {
  const controller = new AbortController();
  const loading = createOnnxModel({ folder: referenceFolder, threads: 1, signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(loading).rejects.toThrow('enough');
});

test('one Ctrl-C ends a run whose model hangs', async () => {
  const folder = await copyOfReference();
  await endlessTemplate(folder);
  const work = await temporaryFolder();
  const { dataset } = await writeSmallSet(work, 1);
  const out = join(work, 'r.jsonl');
  const running = hefix(['--model', folder, '--dataset', dataset, '--out', out, '--verbose']);
  onTestFinished(() => void running.kill('SIGKILL'));
  await new Promise<void>(resolve => {
    let output = '';
    running.stderr?.on('data', piece => {
      output += piece;
      if (output.includes('small/0')) resolve();
    });
  });
  running.kill('SIGINT');
  expect((await running).exitCode).toBe(130);
});

async function endlessTemplate(folder: string): Promise<void> {
  await writeFile(join(folder, 'chat_template.jinja'), ENDLESS);
}
