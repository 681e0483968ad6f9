import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../lib/files/package-root.ts';

test('no file, export or package is unused', async () => {
  const { all } = await execa('npx', ['knip', '--no-progress'], {
    ...{ cwd: packageFile('.'), preferLocal: true, all: true, reject: false },
  });
  expect(all).toBe('');
});
