import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { describePython } from '../../../../lib/sandbox/python/host/python-programs.ts';
import { needs } from '../../../support/needs.ts';
import { programFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

beforeEach(async () => {
  vi.stubEnv('HEFIX_CACHE', await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** A command that starts the real Python, as pyenv's shims do, and lists what it was started with. */
async function shim() {
  const { executable } = await describePython('python3');
  const folder = await programFolder();
  const [path, log] = [join(folder, 'python3'), join(folder, 'log')];
  await writeFile(log, '');
  await writeFile(path, `#!/bin/sh\necho "$*" >> '${log}'\nexec '${executable}' "$@"\n`);
  await chmod(path, 0o755);
  return { path, executable, starts: async () => (await readFile(log, 'utf8')).split('\n').slice(0, -1) };
}

test('a shim is only asked which interpreter it starts', async () => {
  const { path, executable, starts } = await shim();
  expect(await describePython(path)).toEqual(await describePython(executable));
  expect(await starts()).toEqual([expect.stringMatching(/-c import sys; print\(sys\.executable\)$/)]);
});

test('an answer is damaged, and Python is asked again', async () => {
  const { executable } = await shim();
  const folder = join(process.env.HEFIX_CACHE ?? '', 'python');
  const [name = ''] = await readdir(folder);
  const kept = await readFile(join(folder, name), 'utf8');
  await writeFile(join(folder, name), 'nonsense');
  await describePython(executable);
  expect(await readFile(join(folder, name), 'utf8')).toBe(kept);
});

test('Python is asked again after packages were installed', async () => {
  const folder = join(await temporaryFolder(), 'venv');
  await execa('python3', ['-m', 'venv', '--without-pip', folder]);
  const python = join(folder, 'bin', 'python3');
  const { executable, packages, files } = await describePython(python);
  expect(executable).toBe(python);
  const [site = ''] = packages.filter(path => path.startsWith(folder));
  const added = join(site, 'added');
  await mkdir(added);
  // Python reads it in the locale's encoding, which may not have the letters of the folder's path.
  await writeFile(join(site, 'added.pth'), 'added\n');
  await utimes(site, new Date(), new Date(Date.now() + 1000));
  expect((await describePython(python)).files).toEqual(expect.arrayContaining([...files, added]));
});

const usual = '/usr/bin/python3';

test(
  'a Python outside of the PATH is not found, even if it is known',
  needs({ what: usual, isThere: existsSync(usual) }),
  async () => {
    await describePython(usual);
    vi.stubEnv('PATH', await temporaryFolder());
    await expect(describePython('python3')).rejects.toMatchObject({ code: 'PYTHON_MISSING' });
  },
);
