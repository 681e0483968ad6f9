import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  namedVariables,
  pathsInside,
  settingsVariables,
} from '../../../lib/fix/project/project-variables.ts';
import { variablesOf } from '../../../lib/fix/runners/test-jail.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('of the variables of the user, tests see those about how text is shown, and proxies with a network', () => {
  const secrets = {
    OPENAI_API_KEY: 'key',
    GITHUB_TOKEN: 'token',
    LD_PRELOAD: 'x',
    PYTHONPATH: '/x',
    HOME: '/me',
  };
  const shown = { TZ: 'UTC', LANG: 'C.UTF-8', COLUMNS: '80', TERM: 'xterm', NO_COLOR: '1', CI: 'true' };
  const proxy = { https_proxy: 'http://user:password@proxy:3128' };
  expect(variablesOf({ ...secrets, ...shown, ...proxy }, false)).toEqual(shown);
  expect(variablesOf({ ...secrets, ...shown, ...proxy }, true)).toEqual({ ...shown, ...proxy });
});

test('--env names a variable of the user, or gives it a value', () => {
  const lines = 'DATABASE\nMODE=a=b\nEMPTY=\nMISSING';
  expect(namedVariables(lines, { DATABASE: 'db', OTHER: 'other' })).toEqual({
    ...{ DATABASE: 'db', MODE: 'a=b', EMPTY: '' },
  });
});

test('entries of a search path count as far as they lead into the project', async () => {
  const root = await temporaryFolder();
  mkdirSync(join(root, 'src'));
  symlinkSync('/etc', join(root, 'link'));
  const path = ['src', join(root, 'src'), '..', '/etc', 'link', '', `${root}-other`].join(':');
  expect(pathsInside(path, root, root)).toEqual(['src', 'src']);
  expect(pathsInside(undefined, root, root)).toEqual([]);
});

test('what tox sets is seen, but no value that refers to others', async () => {
  const root = await temporaryFolder();
  const tox = '[tox]\nsetenv = NO = 1\n[testenv]\nsetenv =\n    MODE = test\n    HERE = {toxinidir}\n';
  writeFileSync(join(root, 'tox.ini'), tox);
  expect(settingsVariables(root, 'python')).toEqual({ MODE: 'test' });
});
