import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package-root.ts';
import { detectIsolation } from '../../../lib/sandbox/isolation/isolation.ts';
import { type Need, needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Runs a script where nobody can create namespaces and root has no capabilities, as in a locked-down
 * container.
 */
const locked = [
  '--map-root-user',
  'sh',
  '-c',
  'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"',
  'sh',
];
const lockedDown: Need = {
  what: 'unshare and setpriv that work',
  isThere: spawnSync('unshare', [...locked, 'true']).status === 0,
};

function detect(options: object) {
  const script = `
    import { detectIsolation } from ${JSON.stringify(packageFile('dist/lib/sandbox/isolation/isolation.js'))};
    import { preparePython } from ${JSON.stringify(packageFile('dist/lib/sandbox/python/host/python-programs.js'))};
    const { executable } = await preparePython();
    const tell = result => console.log(JSON.stringify(result));
    await detectIsolation({ python: executable, ...${JSON.stringify(options)} }).then(
      ({ level, warning }) => tell({ level, warning }),
      ({ code, message }) => tell({ code, message }),
    );`;
  const args = [...locked, process.execPath, '--input-type=module', '-e', script];
  const run = spawnSync('unshare', args, { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

test('falls back to ulimit, and says in one sentence what it does not isolate', needs(lockedDown), () => {
  const found = detect({});
  expect(found.level).toBe('ulimit');
  expect(found.warning).toMatch(/^The sandbox runs at its weakest level, ulimit: .*bubblewrap.*\.$/);
});

test('refuses the weakest level if isolation is required', needs(lockedDown), () => {
  expect(detect({ requireIsolation: true }).code).toBe('ISOLATION_TOO_WEAK');
});

test('says why a level is not available', needs(lockedDown), () => {
  for (const wanted of ['bubblewrap', 'namespaces']) {
    const { code, message } = detect({ wanted });
    expect(code).toBe('ISOLATION_UNAVAILABLE');
    expect(message).toMatch(new RegExp(`^The isolation level ${wanted} does not work on this system`));
    expect(message).toContain(`${wanted}: `);
  }
});

/** Runs `hefix exec` on a function and its test after the words of unshare(1). */
async function execIn(words: readonly string[]) {
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

test(
  'a command that runs candidates at this level warns once, unless the level was requested',
  needs(lockedDown),
  async () => {
    const exec = await execIn(locked);
    const warned = exec();
    expect(warned).toMatchObject({ status: 0, isolation: 'ulimit' });
    expect(warned.stderr).toMatch(/^warning The sandbox runs at its weakest level, ulimit: .*\.\n$/);
    expect(exec('--isolation', 'ulimit')).toMatchObject({ status: 0, isolation: 'ulimit', stderr: '' });
    expect(exec('--require-isolation')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/\[ISOLATION_TOO_WEAK\]/),
    });
  },
);

test('root of a user namespace without other users stays the same user', needs(lockedDown), async () => {
  const exec = await execIn(['--map-root-user']);
  expect(exec()).toMatchObject({ status: 0, stderr: '' });
  expect(exec('--isolation', 'ulimit')).toMatchObject({ status: 0, isolation: 'ulimit', stderr: '' });
});

test('one sentence refers Windows users to WSL', async () => {
  const detecting = detectIsolation({ python: 'python3', platform: 'win32' });
  await expect(detecting).rejects.toMatchObject({
    code: 'ISOLATION_UNAVAILABLE',
    hint: expect.stringContaining('WSL'),
  });
});
