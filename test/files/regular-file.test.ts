import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { openRegular, readRegular, readRegularText } from '../../lib/files/untrusted-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a file is read, also through links', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a'), 'é'.repeat(10_000));
  await symlink('a', join(folder, 'b'));
  expect(await readRegularText(join(folder, 'b'), 20_000)).toBe('é'.repeat(10_000));
});

test('a file whose size the system does not tell is read', async () => {
  expect(await readRegularText('/proc/self/status', 2 ** 20)).toMatch(/^Name:/);
  await expect(readRegular('/proc/self/status', 10)).rejects.toThrow('more than');
});

test('a larger file is refused', async () => {
  const path = join(await temporaryFolder(), 'a');
  await writeFile(path, Buffer.alloc(2 ** 20 + 1));
  await expect(readRegular(path, 2 ** 20)).rejects.toThrow('it has more than 1 MiB');
});

test('pipes, devices and folders are refused at once', async () => {
  const folder = await temporaryFolder();
  await execa('mkfifo', [join(folder, 'pipe')]);
  for (const path of [join(folder, 'pipe'), '/dev/zero', folder])
    await expect(openRegular(path)).rejects.toThrow('not a regular file');
  await expect(openRegular(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
});
