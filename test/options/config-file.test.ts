import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withConfiguration } from '../../lib/options/settings.ts';
import { verifyOptions } from '../../lib/options/tables/command-options.ts';
import { runOptions } from '../../lib/options/tables/run-options.ts';
import { readFolderSettings, trustFolder, userConfigPath } from '../../lib/options/trust/trusted-folders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trusting } from '../support/trust.ts';

async function folderWith(name: string, content: unknown): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

test('a folder without one changes nothing', async () => {
  expect(await withConfiguration({ iters: '2' }, runOptions, await temporaryFolder(), {})).toEqual({
    iters: '2',
  });
});

test.each(['hefix.config.json', 'package.json'])('%s of the folder around is not read', async name => {
  const folder = await folderWith(name, name === 'package.json' ? { hefix: { iters: 5 } } : { iters: 5 });
  await mkdir(join(folder, 'inside'));
  expect(await withConfiguration({}, runOptions, join(folder, 'inside'), {})).toEqual({});
});

test.each(['hefix.config.json', 'package.json'])('%s counts up to 1 MiB, and not as a link', async name => {
  const text = JSON.stringify(name === 'package.json' ? { hefix: { iters: 5 } } : { iters: 5 });
  const folder = await folderWith(name, text.padEnd(2 ** 20));
  expect(await withConfiguration({}, runOptions, folder, {})).toEqual({ iters: 5 });
  const large = await folderWith(name, text.padEnd(2 ** 20 + 1));
  expect(await withConfiguration({}, runOptions, large, {})).toEqual({});
  const linked = await temporaryFolder();
  await symlink(join(folder, name), join(linked, name));
  const read = withConfiguration({}, runOptions, linked, {});
  if (name === 'package.json') expect(await read).toEqual({});
  else await expect(read).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});

test('its values are defaults that options override', async () => {
  const folder = await folderWith('hefix.config.json', { iters: 5, 'max-new-tokens': 64 });
  expect(await withConfiguration({ iters: '2' }, runOptions, folder, {})).toEqual({
    iters: '2',
    maxNewTokens: 64,
  });
});

test('package.json may hold it instead', async () => {
  const folder = await folderWith('package.json', { name: 'x', hefix: { verbose: true } });
  expect(await withConfiguration({}, runOptions, folder, {})).toEqual({ verbose: true });
  const without = await folderWith('package.json', { name: 'x' });
  expect(await withConfiguration({}, runOptions, without, {})).toEqual({});
});

test('a command uses only its own options', async () => {
  const folder = await folderWith('hefix.config.json', { iters: 5, repeat: 3 });
  expect(await withConfiguration({}, verifyOptions, folder, {})).toEqual({ repeat: 3 });
});

test.each<[unknown, string, string | RegExp]>([
  [{ itres: 5 }, 'sets an unknown option, "itres".', 'Did you mean iters?'],
  [{ iters: 'many' }, 'sets iters to "many", expected a whole number from 0 to 1000.', /--help --all/],
  [[], 'does not hold an object with options.', /--help --all/],
  ['{', 'is not valid JSON: ', /--help --all/],
])('%j is refused', async (content, message, hint) => {
  const folder = await folderWith('hefix.config.json', content);
  await expect(withConfiguration({}, runOptions, folder, {})).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(`${join(folder, 'hefix.config.json')} ${message}`),
    hint: expect.stringMatching(hint),
  });
});

test('the user’s own configuration sets every option, and a folder overrides what it may set', async () => {
  const XDG_CONFIG_HOME = await temporaryFolder();
  await mkdir(join(XDG_CONFIG_HOME, 'hefix'));
  const own = { iters: 1, seed: 1, 'base-url': 'http://127.0.0.1:9/v1', timeout: 3 };
  await writeFile(join(XDG_CONFIG_HOME, 'hefix', 'config.json'), JSON.stringify(own));
  const folder = await folderWith('hefix.config.json', { iters: 5 });
  expect(await withConfiguration({ seed: '2' }, runOptions, folder, { XDG_CONFIG_HOME })).toEqual({
    iters: 5,
    seed: '2',
    baseUrl: 'http://127.0.0.1:9/v1',
    timeout: 3,
  });
});

test('the user’s own configuration is in ~/.config unless XDG_CONFIG_HOME is set', () => {
  expect(userConfigPath({})).toBe(join(homedir(), '.config', 'hefix', 'config.json'));
  expect(userConfigPath({ XDG_CONFIG_HOME: '/c' })).toBe('/c/hefix/config.json');
});

test('trusted folders are remembered in ~/.local/state unless XDG_STATE_HOME is set', async () => {
  vi.stubEnv('HOME', await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = await folderWith('hefix.config.json', { timeout: 60 });
  await trustFolder(folder, readFolderSettings(folder), {}, new Date(0));
  expect(await readdir(join(homedir(), '.local', 'state', 'hefix', 'trusted'))).toHaveLength(1);
  expect(await withConfiguration({}, runOptions, folder, {})).toEqual({ timeout: 60 });
});

test('a relative XDG_CONFIG_HOME, which would be in the folder, is ignored', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'own', 'hefix'), { recursive: true });
  await writeFile(join(folder, 'own', 'hefix', 'config.json'), '{ "backend": "openai" }');
  const given = { XDG_CONFIG_HOME: 'own', HOME: folder };
  expect(await withConfiguration({}, runOptions, folder, given)).not.toHaveProperty('backend');
});

test('an option of another command is no error', async () => {
  const folder = await folderWith('hefix.config.json', { python: 'python3', 'allow-network': true });
  expect(await withConfiguration({}, runOptions, folder, {})).toEqual({});
});

test('an option that a folder may not set is refused, unless it is given or the folder is trusted', async () => {
  const folder = await folderWith('hefix.config.json', { timeout: 60 });
  await expect(withConfiguration({}, runOptions, folder, {})).rejects.toMatchObject({
    code: 'FOLDER_NOT_TRUSTED',
    message: `${join(folder, 'hefix.config.json')} sets --timeout, which the files of a folder may set only after hefix trust.`,
  });
  expect(await withConfiguration({ timeout: '5' }, runOptions, folder, {})).toEqual({ timeout: '5' });
  expect(await withConfiguration({}, runOptions, folder, await trusting(folder))).toEqual({ timeout: 60 });
});
