import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../../lib/files/package.ts';
import type { Need } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Words of unshare(1) for a command where nobody can create namespaces and root has no capabilities, as in a locked-down
 * container.
 */
export const locked = [
  '--map-root-user',
  'sh',
  '-c',
  'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"',
  'sh',
];
export const lockedDown: Need = {
  what: 'unshare and setpriv that work',
  isThere: spawnSync('unshare', [...locked, 'true']).status === 0,
};

/** Runs `hefix exec` on a function and its test after the words of unshare(1). */
export async function execIn(words: readonly string[]) {
  const folder = await temporaryFolder();
  const [code, tests] = [join(folder, 'candidate.py'), join(folder, 'tests.py')];
  await writeFile(code, 'def f(x):\n    return x + 1\n');
  await writeFile(tests, 'assert f(1) == 2\n');
  const command = [
    process.execPath,
    packageFile('dist/bin/hefix.js'),
    'exec',
    '--code',
    code,
    '--tests',
    tests,
  ];
  return (...more: string[]) => {
    const args = [...words, ...command, '--entry-point', 'f', '--json', ...more];
    const run = spawnSync('unshare', args, { encoding: 'utf8' });
    return { ...run, isolation: run.status === 2 ? null : JSON.parse(run.stdout).isolation };
  };
}
