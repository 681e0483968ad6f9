import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { parseRunOptions } from '../../../lib/options/tables/run-options.ts';
import { writesCode } from '../../../lib/run/model/create-model.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

afterEach(() => vi.unstubAllEnvs());

const writes = (model: string, backend = 'onnx') => writesCode(parseRunOptions({ model, backend }));

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test('the bundled model and folders that say so answer with edits, all others write code', async () => {
  expect(await writes('hefix-mini')).toBe(false);
  expect(await writes('any', 'openai')).toBe(true);
  expect(await writes('script.jsonl', 'scripted')).toBe(true);
  expect(await writes(await folderWith({ 'hefix.json': '{"answer":"edit"}' }))).toBe(false);
  expect(await writes(await folderWith({ 'hefix.json': '{}' }))).toBe(true);
  expect(await writes(await folderWith({ 'hefix.json': '{' }))).toBe(true);
  expect(await writes(await folderWith({}))).toBe(true);
  expect(await writes('missing.gguf')).toBe(true);
});

test('a model of the hub says it once it is here', async () => {
  const commit = 'a'.repeat(40);
  const model = 'models--some--edits';
  const files = Object.fromEntries(
    ['config.json', 'tokenizer.json', 'onnx/model.onnx'].map(path => [
      `${model}/snapshots/${commit}/${path}`,
      '{}',
    ]),
  );
  const hub = await folderWith({
    ...files,
    [`${model}/refs/main`]: commit,
    [`${model}/snapshots/${commit}/hefix.json`]: '{"answer":"edit"}',
  });
  vi.stubEnv('HF_HUB_CACHE', hub);
  expect(await writes('some/edits')).toBe(false);
  expect(await writes('some/other')).toBe(true);
});
