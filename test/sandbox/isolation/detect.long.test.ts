import { spawnSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { detectIsolation } from '../../../lib/sandbox/isolation/isolation.ts';
import { needs } from '../../support/needs.ts';
import { execIn, locked, lockedDown } from './locked-down.ts';

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

test('--require-isolation holds for the judge of --sandbox docker too', needs(lockedDown), async () => {
  const exec = await execIn(locked);
  // An engine that has the image; no container is started.
  vi.stubEnv('DOCKER_BIN', 'true');
  const run = exec('--sandbox', 'docker', '--require-isolation');
  vi.unstubAllEnvs();
  expect(run).toMatchObject({ status: 2, stderr: expect.stringMatching(/\[ISOLATION_TOO_WEAK\]/) });
});

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
