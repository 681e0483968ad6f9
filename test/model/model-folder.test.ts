import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { openModelFolder } from '../../lib/model/model-folder.ts';
import { copyOfReference } from './reference-model.ts';

/** A model with this `hefix.json`; without text there is no such file. */
async function answerOf(text: string | null): Promise<string> {
  const folder = await copyOfReference();
  if (text === null) await rm(join(folder, 'hefix.json'), { force: true });
  else await writeFile(join(folder, 'hefix.json'), text);
  return (await openModelFolder(folder)).answer;
}

test('hefix.json sets the answer format; the default is whole functions', async () => {
  expect(await answerOf('{"answer": "edit"}')).toBe('edit');
  expect(await answerOf('{"answer": "whole"}')).toBe('whole');
  expect(await answerOf('{}')).toBe('whole');
  expect(await answerOf(null)).toBe('whole');
});

test('the bundled model writes edits', async () => {
  const folder = await openModelFolder(packageFile('fixtures/model'));
  expect(folder.answer).toBe('edit');
  expect(folder.textFiles).toContain('hefix.json');
});

test.each([
  ['{"answer": "diff"}', /answer/],
  ['{"answer": 3}', /answer/],
  ['{"answers": "edit"}', /answers/],
  ['["edit"]', /hefix\.json/],
  ['{"answer": "edit"', /it is not JSON/],
])('%s is refused with the file and the reason', async (text, named) => {
  await expect(answerOf(text)).rejects.toMatchObject({
    code: 'MODEL_FILE_INVALID',
    message: expect.stringMatching(/hefix\.json cannot be used/),
  });
  await expect(answerOf(text)).rejects.toThrow(named);
});
