import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { copyHistory } from '../../../lib/fix/project/history.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the copy has the commits, without settings, hooks, remotes and what links lead to', async () => {
  const [root, copy] = [await temporaryFolder(), await temporaryFolder()];
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root });
  await git('init', '--quiet');
  await git('commit', '--quiet', '--allow-empty', '--message', 'the first');
  await git('remote', 'add', 'origin', 'https://user:secret@example.org/a.git');
  await git('config', 'core.fsmonitor', './program');
  await mkdir(join(root, '.git/hooks'), { recursive: true });
  writeFileSync(join(root, '.git/hooks/post-checkout'), '#!/bin/sh');
  symlinkSync('/etc/passwd', join(root, '.git/refs/heads/link'));
  copyHistory(root, copy);
  expect(await execa('git', ['log', '--format=%s'], { cwd: copy })).toMatchObject({ stdout: 'the first' });
  expect(readFileSync(join(copy, '.git/config'), 'utf8')).not.toMatch(/secret|program|origin/);
  for (const path of ['hooks', 'logs', 'refs/heads/link'])
    expect(existsSync(join(copy, '.git', path))).toBe(false);
});

test.each([
  ['more than 50 MiB', 0, 50 * 2 ** 20 + 1],
  ['more than 5,000 files', 4999, 0],
])('a history of %s is not copied', async (_, links, bytes) => {
  const [root, copy] = [await temporaryFolder(), await temporaryFolder()];
  const objects = join(root, '.git/objects');
  mkdirSync(objects, { recursive: true });
  for (const path of ['.git/HEAD', '.git/objects/a']) writeFileSync(join(root, path), '');
  for (let at = 0; at < links; at++) linkSync(join(objects, 'a'), join(objects, `${at}`));
  truncateSync(join(objects, 'a'), bytes);
  copyHistory(root, copy);
  expect(existsSync(join(copy, '.git'))).toBe(false);
});

test('a .git that is a link is not copied', async () => {
  const [root, copy] = [await temporaryFolder(), await temporaryFolder()];
  await execa('git', ['init', '--quiet'], { cwd: copy });
  symlinkSync(join(copy, '.git'), join(root, '.git'));
  const empty = await temporaryFolder();
  copyHistory(root, empty);
  expect(existsSync(join(empty, '.git'))).toBe(false);
});
