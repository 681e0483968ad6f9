import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveModel } from '../../../lib/model/hub/resolve-model.ts';
import { openModelFolder } from '../../../lib/model/model-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { copyOfReference } from '../reference-model.ts';

const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 988097824\n';

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'coder');
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const texts = { 'config.json': '{}', 'tokenizer.json': '{"model": {}}', ...files };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  return folder;
}

test.each([
  ['a pointer of Git LFS', { 'model.safetensors': POINTER }, /model\.safetensors is a pointer of Git LFS/],
  ['one in place of a graph', { 'onnx/model.onnx': POINTER }, /onnx.model\.onnx is a pointer/],
  ['one in place of the tokenizer', { 'tokenizer.json': POINTER }, /tokenizer\.json is a pointer/],
  [
    'an adapter alone',
    { 'adapter_model.safetensors': 'x' },
    /only an adapter \(adapter_model\.safetensors\)/,
  ],
  ['pickled weights alone', { 'pytorch_model.bin': 'x' }, /only pickled weights \(pytorch_model\.bin\)/],
])('%s is told by name', async (_, files, message) => {
  await expect(resolveModel(await folderOf(files))).rejects.toMatchObject({
    code: 'MODEL_FOLDER_UNUSABLE',
    message: expect.stringMatching(message),
  });
});

test('a missing shard is told by name', async () => {
  const folder = await copyOfReference();
  await rm(join(folder, 'model.safetensors'), { force: true });
  await rm(join(folder, 'onnx'), { recursive: true, force: true });
  const index = { weight_map: { a: 'model-00001-of-00002.safetensors' } };
  await writeFile(join(folder, 'model.safetensors.index.json'), JSON.stringify(index));
  await expect(resolveModel(folder, { weightType: 'fp32' })).rejects.toMatchObject({
    message: expect.stringContaining('has no model-00001-of-00002.safetensors'),
  });
});

test('chat_template.json is read', async () => {
  const folder = await copyOfReference();
  await rm(join(folder, 'chat_template.jinja'), { force: true });
  await writeFile(join(folder, 'chat_template.json'), '{"chat_template": "{{ messages[0].content }}"}');
  const { chatTemplate, textFiles } = await openModelFolder(folder);
  expect(chatTemplate.text).toBe('{{ messages[0].content }}');
  expect(textFiles).toContain('chat_template.json');
});
