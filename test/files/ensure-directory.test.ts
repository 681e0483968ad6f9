import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureDirectory, ensureDirectorySync } from '../../lib/files/ensure-directory.ts';
import { packageFile } from '../../lib/files/package.ts';
import { linux, needs } from '../support/needs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hefix-directory-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each([
  ['ensureDirectory', ensureDirectory],
  ['ensureDirectorySync', async (path: string) => ensureDirectorySync(path)],
])('%s', (name, ensure) => {
  test('creates a directory with its parents, and accepts one that exists', async () => {
    const path = join(folder, name, 'a/b/c');
    await ensure(path);
    await ensure(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  test('ten callers at once', async () => {
    const path = join(folder, name, 'd/e/f');
    await Promise.all(Array.from({ length: 10 }, () => ensure(path)));
    expect(existsSync(path)).toBe(true);
  });

  test('a file with its name or a parent’s name is an error', async () => {
    await ensure(join(folder, name));
    const file = join(folder, name, 'file');
    await writeFile(file, '');
    await expect(ensure(file)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(ensure(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

/** In a separate process, because Node's recursive mkdir cannot be interrupted. */
test.each(['ensureDirectory', 'ensureDirectorySync'])(
  '%s fails at once below /proc',
  needs(linux),
  async name => {
    const source = packageFile('dist/lib/files/ensure-directory.js');
    const script = `
      import * as files from ${JSON.stringify(source)};
      try { await files.${name}('/proc/hefix/a/b'); } catch (error) { console.log(error.code); }`;
    const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: 120_000,
      killSignal: 'SIGKILL',
    });
    expect(stdout).toBe('ENOENT');
  },
);

test('nothing else in the sources creates directories recursively', async () => {
  const { stdout, exitCode } = await execa(
    'grep',
    ['-rnE', 'mkdir(Sync)?\\([^)]*recursive', 'bin', 'lib', 'machines', 'dataset', '--include=*.ts'],
    { cwd: packageFile('.'), reject: false },
  );
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
});
