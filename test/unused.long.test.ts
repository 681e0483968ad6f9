import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../lib/files/package.ts';
import { toolFile } from './support/tools.ts';

test('no file, export or package is unused', async () => {
  const knip = await toolFile('knip/bin/knip.js');
  const { all } = await execa(process.execPath, [knip, '--no-progress'], {
    ...{ cwd: packageFile('.'), all: true, reject: false },
  });
  expect(all).toBe('');
});
