import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { writeChanges } from '../../../lib/fix/patch/write-changes.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hefix-write-'));
  writeFileSync(join(folder, 'a.py'), 'before\n');
  // Whatever the mask of new files is.
  chmodSync(join(folder, 'a.py'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

const change = () => ({ file: readSource('a.py', Buffer.from('before\n')), after: Buffer.from('after\n') });

test('keeps a file’s permissions, and writes a backup if requested', async () => {
  await writeChanges(folder, [change()], true);
  expect(readFileSync(join(folder, 'a.py'), 'utf8')).toBe('after\n');
  expect(readFileSync(join(folder, 'a.py.orig'), 'utf8')).toBe('before\n');
  expect(statSync(join(folder, 'a.py')).mode & 0o777).toBe(0o755);
});

test('leaves a file alone that has changed since', async () => {
  writeFileSync(join(folder, 'a.py'), 'edited\n');
  await expect(writeChanges(folder, [change()], false)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  expect(readFileSync(join(folder, 'a.py'), 'utf8')).toBe('edited\n');
});

test('refuses read-only files, even as root', async () => {
  chmodSync(join(folder, 'a.py'), 0o444);
  await expect(writeChanges(folder, [change()], false)).rejects.toMatchObject({ code: 'FILE_READ_ONLY' });
});

test('writes no file if one of them cannot be written', async () => {
  const gone = { file: readSource('b.py', Buffer.from('x')), after: Buffer.from('y') };
  await expect(writeChanges(folder, [change(), gone], false)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  expect(readFileSync(join(folder, 'a.py'), 'utf8')).toBe('before\n');
});

test('keeps symbolic links', async () => {
  symlinkSync('a.py', join(folder, 'link.py'));
  await writeChanges(folder, [{ ...change(), file: readSource('link.py', Buffer.from('before\n')) }], false);
  expect(readFileSync(join(folder, 'a.py'), 'utf8')).toBe('after\n');
});
