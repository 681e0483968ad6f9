import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listUntrusted, readNamed, readUntrusted } from '../../lib/files/untrusted-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function folders(): Promise<{ folder: string; secret: string }> {
  const home = await temporaryFolder();
  const [folder, secret] = [join(home, 'clone'), join(home, 'secret')];
  await mkdir(join(folder, 'a/b'), { recursive: true });
  await mkdir(secret);
  await writeFile(join(folder, 'a/b/own.txt'), 'own');
  await writeFile(join(secret, 'key.txt'), 'secret');
  return { folder, secret };
}

const read = (folder: string, path: string, maxBytes?: number): string | null =>
  readUntrusted(folder, path, maxBytes)?.toString() ?? null;

test('reads a regular file, with as many bytes as the limit', async () => {
  const { folder } = await folders();
  expect(read(folder, 'a/b/own.txt', 3)).toBe('own');
  expect(read(folder, 'a/b/own.txt', 2)).toBeNull();
  await writeFile(join(folder, 'empty'), '');
  expect(read(folder, 'empty', 0)).toBe('');
});

test('a folder may itself be reached through a link', async () => {
  const { folder } = await folders();
  await symlink(folder, `${folder}.link`);
  expect(read(`${folder}.link`, 'a/b/own.txt')).toBe('own');
  expect(listUntrusted(`${folder}.link`, 'a', 9).map(({ name }) => name)).toEqual(['b']);
});

/** What a clone may put in the place of a file, and the path that is read. */
const wrongs: Readonly<Record<string, (folder: string, secret: string) => Promise<string>>> = {
  'a link to a file': async (folder, secret) => {
    await symlink(join(secret, 'key.txt'), join(folder, 'link'));
    return 'link';
  },
  'a link to a file of its own': async folder => {
    await symlink('a/b/own.txt', join(folder, 'link'));
    return 'link';
  },
  'a link to a folder': async (folder, secret) => {
    await symlink(secret, join(folder, 'a/link'));
    return 'a/link/key.txt';
  },
  'a link that stays inside as text': async folder => {
    await symlink('a', join(folder, 'h'));
    await symlink('a/b/../../h/../../secret', join(folder, 'link'));
    return 'link/key.txt';
  },
  'a path through the folder around': async () => '../secret/key.txt',
  'a path that returns': async () => 'a/../a/b/own.txt',
  'an absolute path': async (_, secret) => join(secret, 'key.txt'),
  'a path with an empty component': async () => 'a//b/own.txt',
  'a path with a NUL': async () => 'a/b/own.txt\0',
  'a path of 100,000 components': async () => `${'a/'.repeat(100_000)}own.txt`,
  'a name that is too long': async () => 'a'.repeat(300),
  'a folder': async () => 'a/b',
  'a file as a folder': async () => 'a/b/own.txt/own.txt',
  'a pipe': async folder => {
    await execa('mkfifo', [join(folder, 'pipe')]);
    return 'pipe';
  },
  'a socket': async folder => {
    const server = createServer().listen(join(folder, 'socket'));
    onTestFinished(() => void server.close());
    await new Promise(resolve => server.once('listening', resolve));
    return 'socket';
  },
  'a device': async folder => {
    await symlink('/dev/zero', join(folder, 'zero'));
    return 'zero';
  },
  'a sparse file of 8 TiB': async folder => {
    await writeFile(join(folder, 'sparse'), '');
    await truncate(join(folder, 'sparse'), 2 ** 43);
    return 'sparse';
  },
};

test.each(Object.entries(wrongs))('%s is not read', async (_, make) => {
  const { folder, secret } = await folders();
  const path = await make(folder, secret);
  expect(read(folder, path)).toBeNull();
});

test('a path of more than 4096 bytes is not read, although the file is there', async () => {
  const { folder } = await folders();
  const name = 'a'.repeat(250);
  const script =
    'import os, sys\nfor _ in range(17):\n    os.mkdir(sys.argv[1])\n    os.chdir(sys.argv[1])\n    open("own.txt", "w").write("own")';
  await execa('python3', ['-c', script, name], { cwd: folder });
  const at = (depth: number) => read(folder, `${`${name}/`.repeat(depth)}own.txt`);
  const found = [at(16), at(17)];
  // Node cannot remove such a path.
  await execa('rm', ['-r', join(folder, name)]);
  expect(found).toEqual(['own', null]);
});

test('files without a size are read up to the limit', () => {
  expect(read('/proc/self', 'status')).toContain('Pid:');
  expect(read('/proc/self', 'status', 10)).toBeNull();
  expect(readNamed('/dev/zero', 10)).toBeNull();
});

describe('while another process exchanges a folder for a link', () => {
  const flip = `
    const { renameSync } = require('node:fs');
    const [folder] = process.argv.slice(1);
    process.stdout.write('ready');
    for (;;) {
      renameSync(folder + '/a', folder + '/away');
      renameSync(folder + '/link', folder + '/a');
      renameSync(folder + '/a', folder + '/link');
      renameSync(folder + '/away', folder + '/a');
    }`;

  test('neither content nor names of the other folder are read', async () => {
    const { folder, secret } = await folders();
    await mkdir(join(secret, 'b'));
    await rename(join(secret, 'key.txt'), join(secret, 'b/own.txt'));
    await writeFile(join(secret, 'other'), '');
    await symlink(secret, join(folder, 'link'));
    const child = spawn(process.execPath, ['-e', flip, folder]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise(resolve => child.stdout.once('data', resolve));
    const found = new Set<string | null>();
    const listed = new Set<string>();
    for (let count = 0; count < 20_000 || found.size < 2; count++) {
      found.add(read(folder, 'a/b/own.txt'));
      listed.add(
        listUntrusted(folder, 'a', 9)
          .map(({ name }) => name)
          .join(),
      );
    }
    expect([...found].toSorted()).toEqual([null, 'own'].toSorted());
    expect([...listed].toSorted()).toEqual(['', 'b']);
  });
});

test('descriptors are closed, whatever is found', async () => {
  const { folder } = await folders();
  const before = readdirSync('/proc/self/fd').length;
  for (const path of ['a/b/own.txt', 'a/b', 'a/x/y', 'x', '../x', 'a/b/own.txt/x']) {
    read(folder, path);
    listUntrusted(folder, path, 9);
  }
  expect(readdirSync('/proc/self/fd')).toHaveLength(before);
});

test('lists no more entries than asked for', async () => {
  const { folder } = await folders();
  for (let count = 0; count < 600; count++) await writeFile(join(folder, `file-${count}`), '');
  expect(listUntrusted(folder, '', 500)).toHaveLength(500);
  expect(listUntrusted(folder, '', 5000)).toHaveLength(601);
});
