import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createDockerSandbox } from '../../../lib/extra/docker/docker-sandbox.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { execIn, locked, lockedDown } from '../../sandbox/isolation/locked-down.ts';
import { attacks } from '../../sandbox/isolation/programs.ts';
import { findDocker } from '../../support/docker.ts';
import { eventually } from '../../support/eventually.ts';
import { needs, root } from '../../support/needs.ts';

const engine = findDocker();

describe('a Docker sandbox without a working engine', () => {
  const create = (variables: Record<string, string>) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    return createDockerSandbox().finally(() => vi.unstubAllEnvs());
  };

  test('says that the program is missing', async () => {
    await expect(create({ DOCKER_BIN: 'no-such-engine' })).rejects.toMatchObject({
      code: 'DOCKER_MISSING',
      message: 'There is no program no-such-engine.',
    });
  });
  test('says that no daemon is running', needs(engine), async () => {
    const missing = { DOCKER_BIN: 'docker', DOCKER_HOST: 'unix:///nowhere/docker.sock' };
    await expect(create(missing)).rejects.toMatchObject({ code: 'DOCKER_NOT_RUNNING' });
  });
  test('says that one may not use it', needs(engine, root), async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hefix-test-'));
    const socket = join(folder, 'docker.sock');
    const server = createServer().listen(socket);
    spawnSync('chmod', ['755', folder]);
    spawnSync('chmod', ['600', socket]);
    const asNobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/ docker';
    try {
      await expect(create({ DOCKER_BIN: asNobody, DOCKER_HOST: `unix://${socket}` })).rejects.toMatchObject({
        code: 'DOCKER_NOT_ALLOWED',
      });
    } finally {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
  test('says that the image is missing', needs(engine), async () => {
    const missing = {
      ...engine.variables,
      SANDBOX_DOCKER_IMAGE: 'hefix/no-such-image',
    };
    await expect(create(missing)).rejects.toMatchObject({
      code: 'DOCKER_IMAGE_MISSING',
      message: 'The image hefix/no-such-image is not available locally.',
    });
  });
});

test('a Docker sandbox replaces a container after maxExecutions executions', needs(engine), async () => {
  const own = () => containers(`label=hefix.pid=${process.pid}`);
  for (const [name, value] of Object.entries(engine.variables)) vi.stubEnv(name, value);
  const sandbox = await createDockerSandbox({ timeoutSeconds: 60, memoryMiB: 256, maxExecutions: 10 });
  try {
    const [first] = own();
    for (let number = 0; number < 30; number++) {
      const request = {
        language: 'python',
        candidate: 'def f(): return 1',
        tests: 'assert f() == 1',
        entryPoint: 'f',
      } as const;
      expect((await sandbox.execute(request)).verdict.kind).toBe('passed');
    }
    await eventually(() => expect(own()).not.toContain(first));
    expect(own().length).toBeLessThanOrEqual(3);
  } finally {
    await sandbox.close();
    vi.unstubAllEnvs();
  }
});

describe('a Docker sandbox', needs(engine), () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    for (const [name, value] of Object.entries(engine.variables)) vi.stubEnv(name, value);
    sandbox = await createDockerSandbox({ timeoutSeconds: 5, memoryMiB: 256 });
  });
  afterAll(async () => {
    await sandbox?.close();
    expect(containers(`label=hefix.pid=${process.pid}`)).toEqual([]);
    vi.unstubAllEnvs();
  });
  const execute = (candidate: string, tests: string) =>
    sandbox.execute({ language: 'python', candidate, tests, entryPoint: 'f' });
  const verdict = async (candidate: string, tests = 'assert f() == 1') =>
    (await execute(candidate, tests)).verdict.kind;

  test('proves passes and reports failures', async () => {
    const passed = await execute('def f(): print("said"); return 1', 'assert f() == 1');
    expect(passed).toMatchObject({ verdict: { kind: 'passed' }, stdout: 'said\n', isolation: 'docker' });
    const failed = await execute('def f(): return 2', 'assert f() == 1');
    expect(failed.verdict).toMatchObject({ kind: 'failed', expected: '1', actual: '2' });
    expect(await verdict('def f(): raise KeyError("x")')).toBe('raised');
    expect(await verdict('def f(): return bytearray(1 << 30)')).toBe('memory');
    expect((await execute('import os\ndef f(): os._exit(3)', 'assert f() == 1')).exitCode).toBe(3);
    expect(await verdict('def f(:')).toBe('syntax');
    expect(await verdict('import time\ndef f(): time.sleep(60)')).toBe('timeout');
    expect(await verdict('def f():\n  while True: print("x" * 1000)')).toBe('timeout');
  });

  test(
    'warns if the tests run outside of the container at the weakest level',
    needs(lockedDown),
    async () => {
      const exec = await execIn(locked);
      const warning = /^warning The tests run outside of the container, at the weakest level, ulimit/;
      expect(exec('--sandbox', 'docker')).toMatchObject({
        status: 0,
        stderr: expect.stringMatching(warning),
      });
    },
  );

  test('reuses containers, and runs several executions at once', async () => {
    const before = containers(`label=hefix.pid=${process.pid}`);
    for (let number = 0; number < 8; number++) expect(await verdict('def f(): return 1')).toBe('passed');
    const after = containers(`label=hefix.pid=${process.pid}`);
    // One works while the other is cleaned and prepared.
    expect(after.length).toBeLessThanOrEqual(2);
    expect(after).toEqual(expect.arrayContaining(before));
    const both = await Promise.all([verdict('def f(): return 1'), verdict('def f(): return 2')]);
    expect(both).toEqual(['passed', 'failed']);
  });

  test('labels and confines its containers', () => {
    const [name = ''] = containers(`label=hefix.pid=${process.pid}`);
    const [described] = JSON.parse(docker('inspect', name)) as [{ HostConfig: object; Config: object }];
    expect(described.Config).toMatchObject({ User: '65534:65534', Labels: { hefix: 'sandbox' } });
    expect(described.HostConfig).toMatchObject({
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Memory: (256 + 64 + 64) * 2 ** 20,
      NanoCpus: 1e9,
      PidsLimit: 64,
      AutoRemove: true,
    });
  });

  test('cleans up between two executions', async () => {
    const leave = `
import os, threading, time
def f():
    os.makedirs('a/b')
    open('a/b/c', 'w').write('left')
    os.symlink('/', 'link')
    os.chmod('a', 0)
    threading.Thread(target=time.sleep, args=(60,)).start()
    return 1`;
    expect(await verdict(leave)).toBe('passed');
    const look = 'import os\ndef f(): return [os.listdir("."), os.listdir(os.getcwd())]';
    // In its own container and in the spare one.
    for (let number = 0; number < 3; number++)
      expect(await verdict(look, 'assert f() == [[], []]')).toBe('passed');
  });

  const bait = {
    tcpPort: 9,
    udpPort: 9,
    socketPath: '/var/run/docker.sock',
    abstractName: 'x',
    victim: 1,
    secretFile: '/etc/hostname',
    ownFiles: [],
    openFolder: '/tmp',
    home: '/root',
  };
  test.for(attacks(bait))('refuses: $name', async ({ name, code }) => {
    // The candidate's process is not the first one here; neither environment may be readable.
    const execution = await execute(
      `def f():\n    exec(${JSON.stringify(code)}, {})\n    return 1`,
      'assert f() == 1',
    );
    expect(execution.verdict, execution.stdout).toMatchObject({ kind: 'passed' });
    expect(execution.stdout).toMatch(/refused/);
    // Timestamps of device files can be set to now; they are reset before the next execution.
    const allowed: Record<string, RegExp> = {
      descriptors: /^descriptor 3 OPEN/,
      metadata: /^(times now|utimensat) (zero|null) OPEN/,
    };
    const own = allowed[name] ?? /^$/;
    expect(execution.stdout.split('\n').filter(line => line.includes('OPEN') && !own.test(line))).toEqual([]);
  });

  test('resets timestamps between candidates', async () => {
    const touch = `import os\ndef f():\n    ${body('os.utime("/dev/zero")')}`;
    const seen = `import os\ndef f():\n    ${body('pass')}`;
    const times = new Set<string>();
    for (const candidate of [touch, seen, touch, seen]) {
      const { stdout } = await execute(candidate, 'assert f() is None');
      expect(stdout).toMatch(/^\d+ \d+$/m);
      times.add(stdout.trim());
    }
    expect(times.size).toBe(4);
  });
  const body = (action: string) =>
    `${action}; found = os.stat("/dev/zero"); print(found.st_mtime_ns, found.st_atime_ns)`;

  test('leaves no container after hefix is killed', async () => {
    const script = `
      import { createDockerSandbox } from ${JSON.stringify(packageFile('dist/lib/extra/docker/docker-sandbox.js'))};
      const sandbox = await createDockerSandbox({});
      console.log('up');
      await sandbox.execute({ language: 'python', candidate: 'def f():\\n  while True: pass', tests: 'assert f()', entryPoint: 'f' });`;
    const hefix = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise(resolve => hefix.stdout.once('data', resolve));
    const mine = `label=hefix.pid=${hefix.pid}`;
    expect(containers(mine)).toHaveLength(1);
    hefix.kill('SIGKILL');
    await eventually(() => expect(containers(mine)).toEqual([]));
  });

  test('removes containers of killed processes at the next start', async () => {
    const gone = spawnSync('true').pid;
    const image = process.env.SANDBOX_DOCKER_IMAGE ?? '';
    const host = docker(
      'inspect',
      '--format',
      '{{index .Config.Labels "hefix.host"}}',
      containers('label=hefix')[0] ?? '',
    );
    const labels = [
      '--label',
      'hefix=sandbox',
      '--label',
      `hefix.host=${host.trim()}`,
      '--label',
      `hefix.pid=${gone}`,
    ];
    const name = ['--name', `hefix-${gone}-left`];
    docker('run', '--detach', ...name, '--network', 'none', ...labels, '--entrypoint', 'sleep', image, '600');
    expect(containers(`label=hefix.pid=${gone}`)).toHaveLength(1);
    await (await createDockerSandbox({})).close();
    expect(containers(`label=hefix.pid=${gone}`)).toEqual([]);
  });

  test('accepts a command of several words', async () => {
    vi.stubEnv('DOCKER_BIN', 'env HEFIX_TEST=1 docker');
    const other = await createDockerSandbox({});
    const { verdict } = await other.execute({
      language: 'python',
      candidate: 'def f(): return 1',
      tests: 'assert f() == 1',
      entryPoint: 'f',
    });
    await other.close();
    expect(verdict.kind).toBe('passed');
  });
});

function containers(filter: string): string[] {
  return docker('ps', '--all', '--quiet', '--filter', filter).split('\n').filter(Boolean).sort();
}

function docker(...args: string[]): string {
  const run = spawnSync('docker', args, { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}
