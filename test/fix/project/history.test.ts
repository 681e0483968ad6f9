import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
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
  ['more than 50 MiB', (objects: string) => truncateSync(join(objects, '0'), 50 * 2 ** 20)],
  ['more than 5,000 files', (objects: string) => writeFileSync(join(objects, 'more'), '')],
])('a history of %s is not copied', async (_, add) => {
  const [root, copy] = [await temporaryFolder(), await temporaryFolder()];
  const objects = join(root, '.git/objects');
  mkdirSync(objects, { recursive: true });
  writeFileSync(join(root, '.git/HEAD'), 'x');
  for (let at = 0; at < 4999; at++) writeFileSync(join(objects, `${at}`), '');
  copyHistory(root, copy);
  expect(existsSync(join(copy, '.git/objects/4998'))).toBe(true);
  const other = await temporaryFolder();
  add(objects);
  copyHistory(root, other);
  expect(existsSync(join(other, '.git'))).toBe(false);
});

test('a .git that is a link is not copied', async () => {
  const [root, copy] = [await temporaryFolder(), await temporaryFolder()];
  await execa('git', ['init', '--quiet'], { cwd: copy });
  symlinkSync(join(copy, '.git'), join(root, '.git'));
  const empty = await temporaryFolder();
  copyHistory(root, empty);
  expect(existsSync(join(empty, '.git'))).toBe(false);
});
