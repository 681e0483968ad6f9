import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { GenerateRequest, TextModel } from '../../lib/core/ports.ts';
import { packageFile } from '../../lib/files/package.ts';
import { createCachedModel, openReplyStore } from '../../lib/model/cached-model.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const request: GenerateRequest = {
  messages: [{ role: 'user', content: 'Repair this.' }],
  temperature: 0.2,
  topP: 0.95,
  topK: 0,
  maxNewTokens: 64,
  seed: 1,
};

/** A model that never repeats itself, so repeated answers come from the cache. */
function counting(fingerprint = 'server coder'): TextModel {
  const completions = Array.from({ length: 30 }, (_, index) => `answer ${index}`);
  return { ...createScriptedModel({ completions }), fingerprint };
}

async function cached(folder: string, model = counting()) {
  const warnings: string[] = [];
  const store = await openReplyStore(folder, sentence => warnings.push(sentence));
  return { ...createCachedModel(model, store), warnings };
}

async function entriesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter(name => name.endsWith('.json')).map(name => join(folder, name));
}

test('answers a repeated request from the cache, and says so', async () => {
  const folder = await temporaryFolder();
  const first = await (await cached(folder)).generate(request);
  expect(first.cached).toBeUndefined();
  const later = await cached(folder, { ...counting(), generate: () => Promise.reject(new Error('asked')) });
  const pieces: string[] = [];
  expect(await later.generate(request, { onText: piece => pieces.push(piece) })).toEqual({
    ...first,
    cached: true,
  });
  expect(pieces).toEqual(['answer 0']);
});

test.each<[string, Partial<GenerateRequest>]>([
  ['messages', { messages: [{ role: 'user', content: 'Repair that.' }] }],
  ['a role', { messages: [{ role: 'system', content: 'Repair this.' }] }],
  ['temperature', { temperature: 0.3 }],
  ['top-p', { topP: 1 }],
  ['top-k', { topK: 5 }],
  ['the cap', { maxNewTokens: 65 }],
  ['seed', { seed: 2 }],
  ['stop sequences', { stop: ['\n'] }],
  ['prefill', { prefill: 'def' }],
  ['a field that a later version adds', { penalty: 1 } as Partial<GenerateRequest>],
])('asks again for other %s', async (_, changed) => {
  const model = await cached(await temporaryFolder());
  await model.generate(request);
  expect(await model.generate({ ...request, ...changed })).toMatchObject({ text: 'answer 1' });
});

test('identifies requests by content, not by spelling', async () => {
  const model = await cached(await temporaryFolder());
  await model.generate(request);
  const { seed, ...rest } = request;
  expect((await model.generate({ seed, tools: undefined, ...rest })).cached).toBe(true);
});

test('keeps answers of different servers and models apart', async () => {
  const folder = await temporaryFolder();
  await (await cached(folder, counting('a'))).generate(request);
  const other = await (await cached(folder, counting('b'))).generate(request);
  expect(other.cached).toBeUndefined();
});

test.each(['', '{"format":1,"text":"cut', '{"format":1,"text":7}', '{"format":99}', '[]'])(
  'repeats the request for an entry damaged to %j, warns, and repairs it',
  async damage => {
    const folder = await temporaryFolder();
    await (await cached(folder)).generate(request);
    const [path = ''] = await entriesOf(folder);
    await writeFile(path, damage);
    const model = await cached(folder);
    expect((await model.generate(request)).cached).toBeUndefined();
    expect(model.warnings).toEqual([expect.stringContaining(path)]);
    expect((await model.generate(request)).cached).toBe(true);
  },
);

test('stores nothing for a failed request', async () => {
  const folder = await temporaryFolder();
  const failing = await cached(folder, { ...counting(), generate: () => Promise.reject(new Error('down')) });
  await expect(failing.generate(request)).rejects.toThrow('down');
  expect(await entriesOf(folder)).toEqual([]);
});

test('returns an answer even if it cannot be stored, and warns', async () => {
  const folder = await temporaryFolder();
  const model = await cached(join(folder, 'cache'));
  await rm(join(folder, 'cache'), { recursive: true });
  await writeFile(join(folder, 'cache'), 'a file in its place');
  expect((await model.generate(request)).text).toBe('answer 0');
  expect(model.warnings.join()).toContain('Completions cannot be saved in');
});

test('keeps beams and likelihoods too', async () => {
  const folder = await temporaryFolder();
  const messages = [{ role: 'user', content: 'Repair this.' }] as const;
  const counts = { promptTokens: 5, completionTokens: 7 };
  const able: TextModel = {
    ...counting(),
    beams: async () => ({ ...counts, beams: [{ text: 'a', logLikelihood: -0.5 }], seconds: 3 }),
    score: async () => ({ ...counts, logLikelihoods: [-1, Number.NEGATIVE_INFINITY], seconds: 3 }),
  };
  const asked = () => Promise.reject(new Error('asked'));
  const first = await cached(folder, able);
  const later = await cached(folder, { ...able, beams: asked, score: asked });
  const beams = { messages, beams: 2, maxNewTokens: 8 };
  const answers = { messages, answers: ['a', 'b'] };
  expect([await first.beams?.(beams), await first.score?.(answers)]).toMatchObject([{ seconds: 3 }, {}]);
  expect(await later.beams?.(beams)).toEqual({
    ...{ ...counts, beams: [{ text: 'a', logLikelihood: -0.5 }], seconds: 0, cached: true },
  });
  expect(await later.score?.(answers)).toEqual({
    ...{ ...counts, logLikelihoods: [-1, Number.NEGATIVE_INFINITY], seconds: 0, cached: true },
  });
  await expect(later.beams?.({ ...beams, beams: 3 })).rejects.toThrow('asked');
});

test('sends identical requests at the same time once', async () => {
  const model = await cached(await temporaryFolder());
  const all = await Promise.all([1, 2, 3].map(() => model.generate(request)));
  expect(all.map(({ text }) => text)).toEqual(['answer 0', 'answer 0', 'answer 0']);
  expect(all.map(({ cached: kept = false }) => kept)).toEqual([false, true, true]);
});

test('does not give up because an identical request was aborted', async () => {
  const aborted = new AbortController();
  const base = counting();
  const model = await cached(await temporaryFolder(), {
    ...base,
    async generate(given, options) {
      if (options?.signal !== aborted.signal) return await base.generate(given, options);
      await new Promise(resolve => aborted.signal.addEventListener('abort', resolve));
      throw aborted.signal.reason;
    },
  });
  const first = model.generate(request, { signal: aborted.signal });
  const second = model.generate(request);
  setTimeout(() => aborted.abort(), 20);
  await expect(first).rejects.toThrow();
  expect(await second).toMatchObject({ text: 'answer 0' });
});

test('refuses a folder that is not writable', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(openReplyStore(join(folder, 'file', 'cache'), () => {})).rejects.toMatchObject({
    code: 'CACHE_NOT_WRITABLE',
  });
});

test('shows only complete entries to concurrent processes', async () => {
  const folder = await temporaryFolder();
  const program = join(folder, 'hammer.mjs');
  const cache = join(folder, 'cache');
  const module = pathToFileURL(packageFile('dist/lib/model/cached-model.js')).href;
  await writeFile(
    program,
    `import { openReplyStore } from ${JSON.stringify(module)};
    const warnings = [];
    const store = await openReplyStore(${JSON.stringify(cache)}, sentence => warnings.push(sentence));
    const text = 'x'.repeat(200_000);
    for (let round = 0; round < 40; round++) {
      for (const key of ['aa1', 'aa2', 'bb1']) {
        await store.write('generate', key, { text, promptTokens: 1, completionTokens: 1, finish: 'stop' });
        const read = await store.read('generate', key);
        if (read?.text !== text) warnings.push('torn');
      }
    }
    process.stdout.write(JSON.stringify(warnings));`,
  );
  const runs = Array.from({ length: 2 }, () => promisify(execFile)(process.execPath, [program]));
  for (const { stdout } of await Promise.all(runs)) expect(JSON.parse(stdout)).toEqual([]);
  const left = await readdir(cache, { recursive: true });
  expect(left.filter(name => name.endsWith('.tmp'))).toEqual([]);
  const [path = ''] = await entriesOf(cache);
  expect((await stat(path)).size).toBe((await readFile(path)).length);
});
