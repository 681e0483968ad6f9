import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const hefix = packageFile('dist/bin/hefix.js');

/** What the operating system refuses is no bug of hefix. */
test.each([
  [
    'a working folder that is gone',
    'cd "$1" && rmdir "$1" && exec "$2" "$3" models',
    'WORKING_FOLDER_MISSING',
  ],
  ['too many open files', 'ulimit -n 24 && exec "$2" "$3" --limit 1', 'TOO_MANY_FILES'],
  [
    'too many open files where a program starts',
    'ulimit -n 64 && exec "$2" "$3" --limit 1',
    'TOO_MANY_FILES',
  ],
])('%s is named', async (_, script, code) => {
  const folder = join(await temporaryFolder(), 'gone');
  const { exitCode, stderr } = await execa(
    'sh',
    ['-c', `mkdir "$1" && ${script}`, 'sh', folder, process.execPath, hefix],
    { reject: false },
  );
  expect(stderr).toContain(`[${code}]`);
  expect(exitCode).toBe(1);
});
