import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { GenerateRequest } from '../../../lib/core/ports.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { createOnnxModel, startModelThread } from '../../../lib/model/onnx/onnx-model.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { changeJson, copyOfReference, readGolden, referenceFolder } from '../reference-model.ts';

const golden = await readGolden();
const model = await createOnnxModel({ folder: referenceFolder, threads: 1 });
afterAll(() => model.close());

function request(changes: Partial<GenerateRequest> = {}): GenerateRequest {
  const { messages } = golden;
  return { messages, temperature: 0, topP: 1, topK: 0, maxNewTokens: 64, seed: 1, ...changes };
}

describe('text', () => {
  test('64 greedy tokens match transformers, streamed without broken characters', async () => {
    const pieces: string[] = [];
    const completion = await model.generate(request(), { onText: piece => pieces.push(piece) });
    expect(completion).toEqual({
      text: golden.text,
      promptTokens: golden.prompt.length,
      completionTokens: 64,
      finish: 'length',
      seconds: expect.any(Number),
    });
    expect(pieces.join('')).toBe(golden.text);
    expect(pieces.length).toBeGreaterThan(10);
  });

  test('reports computing time without the wait for its turn', async () => {
    const started = performance.now();
    const all = await Promise.all([1, 2, 3, 4].map(seed => model.generate(request({ seed }))));
    const elapsed = (performance.now() - started) / 1000;
    // One after the other, all were computed within this time; with the waits, they would add up to more.
    expect(all.reduce((sum, { seconds = Number.NaN }) => sum + seconds, 0)).toBeLessThan(elapsed);
  });

  test('sampling depends on the seed', async () => {
    const sample = async (seed: number) => {
      const completion = await model.generate(request({ temperature: 1, topP: 0.9, topK: 50, seed }));
      return completion.text;
    };
    const first = await sample(1);
    expect(await sample(1)).toBe(first);
    expect(await sample(2)).not.toBe(first);
  });

  test('samples are the same whether asked for at once or one after another', async () => {
    const ask = (seed: number) => model.generate(request({ temperature: 1, maxNewTokens: 24, seed }));
    const seeds = [1, 2, 3, 4];
    const atOnce = await Promise.all(seeds.map(ask));
    const inTurn = [];
    for (const seed of seeds) inTurn.push(await ask(seed));
    expect(atOnce.map(({ text }) => text)).toEqual(inTurn.map(({ text }) => text));
  });

  test('a thought opened by the template has its marker in the text', async () => {
    const folder = await copyOfReference();
    const template = "{{ messages[0]['content'] }}<think>\n";
    await changeJson(join(folder, 'tokenizer_config.json'), { chat_template: template });
    const thinking = await createOnnxModel({ folder, threads: 1 });
    onTestFinished(() => thinking.close());
    const pieces: string[] = [];
    const { text } = await thinking.generate(request({ maxNewTokens: 4 }), {
      onText: piece => pieces.push(piece),
    });
    expect(text).toMatch(/^<think>./s);
    expect(pieces.join('')).toBe(text);
  });

  test('the context limits the answer', async () => {
    const completion = await model.generate(request({ maxNewTokens: 10_000 }));
    expect(completion.promptTokens + completion.completionTokens).toBe(256);
    expect(completion.finish).toBe('length');
  });

  test('it says how many tokens it takes', () => {
    const config = JSON.parse(readFileSync(join(referenceFolder, 'config.json'), 'utf8'));
    expect(model.contextLength).toBe(config.max_position_embeddings);
  });

  test.each([
    ['a number', (end: number) => end],
    ['a list', (end: number) => [300, end]],
  ])('%s in generation_config.json ends the text and is no part of it', async (_, ends) => {
    const at = 11;
    const end = golden.tokens[at] ?? -1;
    expect(golden.tokens.indexOf(end)).toBe(at);
    const folder = await copyOfReference();
    await changeJson(join(folder, 'generation_config.json'), { eos_token_id: ends(end) });
    const short = await createOnnxModel({ folder, threads: 1 });
    const completion = await short.generate(request());
    await short.close();
    expect(completion).toMatchObject({ finish: 'stop', completionTokens: at + 1 });
    expect(golden.text.startsWith(completion.text.replace(/\uFFFD+$/, ''))).toBe(true);
  });
});

describe('the thread', () => {
  test('the model computes a whole answer without the main thread', async () => {
    const folder = await temporaryFolder();
    const [script, sent] = [join(folder, 'worker.mjs'), join(folder, 'sent')];
    const real = pathToFileURL(packageFile('dist/lib/model/onnx/worker.js'));
    // The real thread, which also notes in a file what it is about to send.
    await writeFile(
      script,
      `import { appendFileSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = message => {
        appendFileSync(${JSON.stringify(sent)}, message.kind + '\\n');
        post(message);
      };
      await import(${JSON.stringify(real.href)});`,
    );
    const options = { name: 'x', folder: referenceFolder, weightType: 'auto', threads: 1 } as const;
    const thread = startModelThread(script, { ...options, device: 'cpu', lookup: true, graphs: null });
    await thread.loaded;
    let isRead = false;
    const answer = thread.generate(request({ maxNewTokens: 190 }), {
      onText: () => {
        isRead = true;
      },
    });
    // This thread does nothing at all until the answer is there.
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (!readFileSync(sent, 'utf8').includes('done')) Atomics.wait(clock, 0, 0, 20);
    expect(isRead).toBe(false);
    expect((await answer).completionTokens).toBe(190);
    expect(isRead).toBe(true);
    await thread.close();
  });

  test('an aborted request rejects immediately with the reason, and the next one is answered', async () => {
    const controller = new AbortController();
    const stopped = model.generate(request({ maxNewTokens: 190 }), {
      signal: controller.signal,
      onText: () => controller.abort(new Error('enough')),
    });
    await expect(stopped).rejects.toThrow('enough');
    expect((await model.generate(request())).text).toBe(golden.text);
  });

  test('a queued request can be aborted, and an aborted one never starts', async () => {
    const controller = new AbortController();
    const first = model.generate(request());
    const second = model.generate(request(), { signal: controller.signal });
    controller.abort('too late');
    await expect(second).rejects.toBe('too late');
    await expect(model.generate(request(), { signal: AbortSignal.abort('never') })).rejects.toBe('never');
    expect((await first).text).toBe(golden.text);
  });

  test('several requests and models do not mix', async () => {
    const other = await createOnnxModel({ folder: referenceFolder, threads: 1, name: 'other' });
    const answers = await Promise.all([model, other, model, other].map(each => each.generate(request())));
    await other.close();
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([golden.text]));
    expect(other.name).toBe('other');
    expect(other.fingerprint).toBe(model.fingerprint);
  });

  test('a closed model rejects requests, and can be closed twice', async () => {
    const closed = await createOnnxModel({ folder: referenceFolder, threads: 1 });
    const running = closed.generate(request({ maxNewTokens: 190 }));
    const rejected = expect(running).rejects.toMatchObject({ code: 'MODEL_CLOSED' });
    await Promise.all([closed.close(), closed.close()]);
    await rejected;
    await expect(closed.generate(request())).rejects.toMatchObject({ code: 'MODEL_CLOSED' });
  });

  test.each([
    ['ends its thread', 'process.exit(3)'],
    ['throws', "throw new Error('out of luck')"],
  ])('a thread that %s rejects what waits for it, with a sentence', async (_, crash) => {
    const script = join(await temporaryFolder(), 'worker.mjs');
    await appendFile(
      script,
      `import { parentPort } from 'node:worker_threads';
      parentPort.postMessage({ kind: 'loaded', fingerprint: '' });
      parentPort.on('message', () => { ${crash}; });`,
    );
    const thread = startModelThread(script, {
      name: 'poor',
      folder: '',
      weightType: 'auto',
      threads: 1,
      device: 'cpu',
      lookup: true,
      graphs: null,
    });
    await thread.loaded;
    await expect(thread.generate(request())).rejects.toMatchObject({
      code: 'MODEL_WORKER_CRASHED',
      message: expect.stringMatching(/poor .*(out of luck|code 3)/),
    });
    await expect(thread.generate(request())).rejects.toMatchObject({ code: 'MODEL_WORKER_CRASHED' });
    await thread.close();
  });

  test('a process with a closed model exits by itself', async () => {
    const { spawn } = await import('node:child_process');
    const source = `
      import { createOnnxModel } from ${JSON.stringify(packageFile('dist/lib/model/onnx/onnx-model.js'))};
      const model = await createOnnxModel({ folder: ${JSON.stringify(referenceFolder)}, threads: 1 });
      await model.generate(${JSON.stringify(request())});
      await model.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('the fingerprint', () => {
  test.each([
    ['onnx/model.onnx_data', 'external data'],
    ['tokenizer.json', 'tokenizer'],
    ['tokenizer_config.json', 'template'],
  ])('changes with %s: the %s', async file => {
    const folder = await copyOfReference();
    await appendFile(join(folder, file), ' ');
    const changed = await createOnnxModel({ folder, threads: 1 });
    await changed.close();
    expect(changed.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(changed.fingerprint).not.toBe(model.fingerprint);
  });
});
