import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyOptions } from '../../lib/options/command-options.ts';
import { withConfiguration } from '../../lib/options/config-file.ts';
import { runOptions } from '../../lib/options/run-options.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function folderWith(name: string, content: unknown): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

test('a folder without one changes nothing', async () => {
  expect(await withConfiguration({ iters: '2' }, runOptions, await temporaryFolder())).toEqual({
    iters: '2',
  });
});

test('its values are defaults that options override', async () => {
  const folder = await folderWith('hefix.config.json', { iters: 5, 'max-new-tokens': 64 });
  expect(await withConfiguration({ iters: '2' }, runOptions, folder)).toEqual({
    iters: '2',
    maxNewTokens: 64,
  });
});

test('package.json may hold it instead', async () => {
  const folder = await folderWith('package.json', { name: 'x', hefix: { quiet: true } });
  expect(await withConfiguration({}, runOptions, folder)).toEqual({ quiet: true });
  const without = await folderWith('package.json', { name: 'x' });
  expect(await withConfiguration({}, runOptions, without)).toEqual({});
});

test('a command uses only its own options', async () => {
  const folder = await folderWith('hefix.config.json', { iters: 5, timeout: 3 });
  expect(await withConfiguration({}, verifyOptions, folder)).toEqual({ timeout: 3 });
});

test.each<[unknown, string, string | RegExp]>([
  [{ itres: 5 }, 'sets an unknown option, "itres".', 'Did you mean iters?'],
  [{ iters: 'many' }, 'sets iters to "many", expected a whole number from 0 to 1000.', /--help --all/],
  [[], 'does not hold an object with options.', /--help --all/],
  ['{', 'is not valid JSON: ', /--help --all/],
])('%j is refused', async (content, message, hint) => {
  const folder = await folderWith('hefix.config.json', content);
  await expect(withConfiguration({}, runOptions, folder)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(`${join(folder, 'hefix.config.json')} ${message}`),
    hint: expect.stringMatching(hint),
  });
});
