import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { behindPyenvShim, describePython } from '../../../../lib/sandbox/python/host/python-programs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A shim that cannot be started, pyenv's choice of 3.1, and 3.2 installed too; the current folder has a parent. */
async function pyenv() {
  const { executable } = await describePython('python3');
  const root = await temporaryFolder();
  const shim = await write(join(root, 'shims', 'python3'), '#!/no/such/program\n');
  await write(join(root, 'version'), '3.1\n');
  const interpreter = (version: string) => join(root, 'versions', version, 'bin', 'python3');
  for (const version of ['3.1', '3.2']) {
    await mkdir(dirname(interpreter(version)), { recursive: true });
    await symlink(executable, interpreter(version));
  }
  const parent = await temporaryFolder();
  const current = join(parent, 'project');
  for (const [name, value] of Object.entries({ PWD: current, PYENV_VERSION: '', PYENV_DIR: '' }))
    vi.stubEnv(name, value);
  vi.spyOn(process, 'cwd').mockReturnValue(current);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  return { root, shim, parent, interpreter };
}

async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o755 });
  return path;
}

test('a shim of pyenv is not started', async () => {
  const { shim, interpreter } = await pyenv();
  expect((await describePython(shim)).executable).toBe(interpreter('3.1'));
});

test('folders and the environment choose the version', async () => {
  const { shim, parent, interpreter } = await pyenv();
  await write(join(parent, '.python-version'), '3.2\n');
  expect(behindPyenvShim(shim)).toBe(interpreter('3.2'));
  await write(join(parent, 'project', '.python-version'), '3.1\n');
  expect(behindPyenvShim(shim)).toBe(interpreter('3.1'));
  vi.stubEnv('PYENV_VERSION', '3.2');
  expect(behindPyenvShim(shim)).toBe(interpreter('3.2'));
});

test.each(['3.1\n3.2\n', '3', 'system', '../shims', '# 3.1'])('pyenv is asked about %j', async text => {
  const { root, shim } = await pyenv();
  await write(join(root, 'version'), text);
  expect(behindPyenvShim(shim)).toBeUndefined();
});

test('pyenv is asked in a folder that it knows by another name', async () => {
  const { shim, parent } = await pyenv();
  vi.stubEnv('PWD', parent);
  expect(behindPyenvShim(shim)).toBeUndefined();
});

test('other shims are asked', async () => {
  const { interpreter } = await pyenv();
  expect(behindPyenvShim(interpreter('3.1'))).toBeUndefined();
});
