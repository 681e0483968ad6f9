import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readHubSettings } from '../../../lib/files/hub/hub-settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the cache folder', () => {
  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['is below the home folder', {}, join(homedir(), '.cache/huggingface/hub')],
    ['is below XDG_CACHE_HOME', { XDG_CACHE_HOME: '/x' }, '/x/huggingface/hub'],
    ['is below HF_HOME', { HF_HOME: '/h', XDG_CACHE_HOME: '/x' }, '/h/hub'],
    ['is HF_HUB_CACHE', { HF_HUB_CACHE: '/c', HF_HOME: '/h', HUGGINGFACE_HUB_CACHE: '/o' }, '/c'],
    ['is its older name', { HUGGINGFACE_HUB_CACHE: '/o', HF_HOME: '/h' }, '/o'],
    ['may begin at home', { HF_HOME: '~/models' }, join(homedir(), 'models/hub')],
  ])('%s', async (_, env, expected) => {
    expect((await readHubSettings(env)).cacheFolder).toBe(expected);
  });
});

describe('the token', () => {
  test('is the variable, its older name, or the file, in this order', async () => {
    const home = await temporaryFolder();
    const token = async (env: NodeJS.ProcessEnv) => (await readHubSettings({ HF_HOME: home, ...env })).token;
    expect(await token({})).toBeNull();
    writeFileSync(join(home, 'token'), ' hf_file \n');
    expect(await token({})).toBe('hf_file');
    expect(await token({ HUGGING_FACE_HUB_TOKEN: 'hf_old' })).toBe('hf_old');
    expect(await token({ HUGGING_FACE_HUB_TOKEN: 'hf_old', HF_TOKEN: 'hf_new\n' })).toBe('hf_new');
    expect(await token({ HF_HUB_DISABLE_IMPLICIT_TOKEN: '1' })).toBeNull();
    expect(await token({ HF_TOKEN_PATH: join(home, 'missing') })).toBeNull();
  });
});

test.each([
  [{ HF_HUB_OFFLINE: '1' }, true],
  [{ HF_HUB_OFFLINE: 'yes' }, true],
  [{ HF_HUB_OFFLINE: '0' }, false],
  [{ HF_HUB_OFFLINE: '0', TRANSFORMERS_OFFLINE: '1' }, false],
  [{ TRANSFORMERS_OFFLINE: 'true' }, true],
  [{}, false],
])('%j is offline: %s', async (env, expected) => {
  expect((await readHubSettings(env)).offline).toBe(expected);
});

test.each(['hub.local', 'ftp://hub.local', 'https://'])('%s is not an endpoint', async endpoint => {
  await expect(readHubSettings({ HF_ENDPOINT: endpoint })).rejects.toMatchObject({
    code: 'HUB_ENDPOINT_INVALID',
  });
});

test('removes the endpoint’s trailing slash', async () => {
  expect((await readHubSettings({ HF_ENDPOINT: 'https://mirror.example/hub/' })).endpoint).toBe(
    'https://mirror.example/hub',
  );
});
