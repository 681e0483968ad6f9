import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers, removeUnused, temporaryName } from '../../lib/files/write-file-atomic.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A process that has ended. */
const { pid: dead } = spawnSync(process.execPath, ['--version']);

test('what a killed process left is removed, and nothing else', async () => {
  const folder = await temporaryFolder();
  const own = temporaryName(join(folder, 'a.json'));
  const left = own.replace(`-${process.pid}-`, `-${dead}-`);
  const elsewhere = left.replace(/\.[0-9a-f]{8}-/, '.00000000-');
  const old = elsewhere.replace('a.json', 'old.json');
  await mkdir(left.replace('a.json', 'folder'));
  for (const path of [own, left, elsewhere, old, join(folder, `b.json.${dead}.tmp`)])
    await writeFile(path, '');
  await utimes(old, 0, 0);
  await removeLeftovers(folder);
  const names = [own, elsewhere].map(path => path.slice(folder.length + 1));
  expect((await readdir(folder)).sort()).toEqual([...names, `b.json.${dead}.tmp`].sort());
});

test('entries of a cache that were not written for 30 days are removed', async () => {
  const folder = await temporaryFolder();
  for (const name of ['go-old', 'go-new', 'rust-old']) await writeFile(join(folder, name), '');
  const before = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  await utimes(join(folder, 'go-old'), before(31), before(31));
  await utimes(join(folder, 'go-new'), before(29), before(29));
  await utimes(join(folder, 'rust-old'), before(31), before(31));
  await removeUnused(folder, 'go-');
  expect((await readdir(folder)).sort()).toEqual(['go-new', 'rust-old']);
  await removeUnused(folder);
  expect(await readdir(folder)).toEqual(['go-new']);
});

test('a folder that is not there has no leftovers', async () => {
  const folder = join(await temporaryFolder(), 'none');
  await removeLeftovers(folder);
  await removeUnused(folder);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});
