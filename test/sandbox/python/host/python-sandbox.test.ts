import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ExecuteRequest, Sandbox } from '../../../../lib/core/ports.ts';
import { packageFile } from '../../../../lib/files/package.ts';
import { findProgram } from '../../../../lib/sandbox/isolation/programs.ts';
import type { SandboxOptions } from '../../../../lib/sandbox/process/execution.ts';
import { createPythonSandbox } from '../../../../lib/sandbox/python/host/python-sandbox.ts';
import { children } from '../../../support/children.ts';
import { eventually } from '../../../support/eventually.ts';
import { levelNeeds, linux, needs, root } from '../../../support/needs.ts';
import { programFolder } from '../../../support/temporary-folder.ts';

const request: ExecuteRequest = {
  language: 'python',
  candidate: 'def f(x):\n    return x\n',
  tests: 'assert f(1) == 1',
  entryPoint: 'f',
};
const endless = { ...request, candidate: 'def f(x):\n    while True:\n        pass\n' };

const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(sandbox => sandbox.close()));
});

async function create(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createPythonSandbox({ timeoutSeconds: 5, ...options });
  open.push(sandbox);
  return sandbox;
}

describe('executions', () => {
  test('report their isolation and duration', async () => {
    const sandbox = await create();
    const execution = await sandbox.execute(request);
    expect(execution).toMatchObject({
      verdict: { kind: 'passed' },
      isolation: sandbox.isolation,
      exitCode: null,
    });
    expect(execution.seconds).toBeGreaterThan(0);
  });

  test('report the exit status of a candidate, 128 + N if signal N ended it', async () => {
    const sandbox = await create();
    const statusOf = async (end: string) =>
      (await sandbox.execute({ ...request, candidate: `import os\ndef ${request.entryPoint}(*_): ${end}\n` }))
        .exitCode;
    expect(await statusOf('os._exit(3)')).toBe(3);
    expect(await statusOf('os.kill(os.getpid(), 11)')).toBe(128 + 11);
  });

  test('work without a pool, and beyond its size', async () => {
    const sandbox = await create({ poolSize: 0 });
    const executions = await Promise.all(Array.from({ length: 12 }, () => sandbox.execute(request)));
    expect(executions.map(({ verdict }) => verdict.kind)).toEqual(Array(12).fill('passed'));
  });

  test('move to new interpreters without a pause', needs(linux), async () => {
    const others = children();
    const sandbox = await create();
    const first = children().filter(pid => !others.includes(pid));
    expect(first).not.toEqual([]);
    for (let count = 0; count < 40; count++) {
      expect((await sandbox.execute(request)).verdict.kind).toBe('passed');
    }
    await eventually(() => expect(children().filter(pid => first.includes(pid))).toEqual([]));
  });

  test.for(['bubblewrap', 'namespaces', 'ulimit'] as const)(
    'run as another user where root starts them (%s)',
    needs(root),
    async (isolation, { skip }) => {
      const sandbox = await create({ isolation }).catch(() => skip(levelNeeds[isolation]));
      const candidate = 'import os\ndef f(x):\n    return [os.getuid(), os.getgid(), os.getgroups()]\n';
      const tests = 'user, group, groups = f(1)\nassert user > 0 and group > 0 and 0 not in groups';
      const { verdict } = await sandbox.execute({ ...request, candidate, tests });
      expect(verdict.kind, verdict.message).toBe('passed');
    },
  );

  test('do not affect each other', async () => {
    const sandbox = await create();
    // Including modules that are loaded before the interpreters of both are forked.
    const leave = [
      'import builtins, candidate, math, os, line, sys, typing',
      'for place in (builtins, candidate, math, line, typing):',
      '    place.left = 1',
      'sys.modules["left"] = math',
      'os.environ["left"] = "1"',
      'open("left", "w").close()',
      'def f(x):',
      '    return x',
    ].join('\n');
    const look = [
      'import builtins, candidate, math, os, line, sys, typing',
      'def f(x):',
      '    found = [place.__name__ for place in (builtins, candidate, math, line, typing) if hasattr(place, "left")]',
      '    return found + ["left" in sys.modules, "left" in os.environ, os.path.exists("left")]',
    ].join('\n');
    expect((await sandbox.execute({ ...request, candidate: leave })).verdict.kind).toBe('passed');
    const { verdict } = await sandbox.execute({
      ...request,
      candidate: look,
      tests: 'assert f(1) == [False, False, False]',
    });
    expect(verdict.kind).toBe('passed');
  });

  test('reject when aborted, with the signal’s reason', async () => {
    const sandbox = await create({ timeoutSeconds: 60 });
    const controller = new AbortController();
    const execution = sandbox.execute(endless, controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 200);
    await expect(execution).rejects.toThrow('enough');
    await expect(sandbox.execute(request, controller.signal)).rejects.toThrow('enough');
    expect((await sandbox.execute(request)).verdict.kind).toBe('passed');
  });

  test('end when the sandbox is closed', async () => {
    const sandbox = await create({ timeoutSeconds: 60 });
    const execution = sandbox.execute(endless);
    setTimeout(() => sandbox.close(), 200);
    await expect(execution).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
    await expect(sandbox.execute(request)).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
  });

  test('executions in other languages are refused', async () => {
    const sandbox = await create();
    await expect(sandbox.execute({ ...request, language: 'rust' })).rejects.toMatchObject({
      code: expect.stringMatching(/^LANGUAGE_/),
    });
  });
});

test.for(['bubblewrap', 'namespaces', 'ulimit'] as const)(
  'nothing survives a killed hefix (%s)',
  needs(linux),
  async (isolation, { skip }) => {
    const script = `
      import { createPythonSandbox } from ${JSON.stringify(packageFile('dist/lib/sandbox/python/host/python-sandbox.js'))};
      const sandbox = await createPythonSandbox({ isolation: '${isolation}', timeoutSeconds: 60 });
      sandbox.execute(${JSON.stringify(endless)});
      console.log('started');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const [first] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (!Buffer.isBuffer(first)) skip(levelNeeds[isolation]);
    const started = await eventually(() => {
      const found = descendantsOf(child.pid);
      expect(found.length).toBeGreaterThan(3);
      return found;
    });
    child.kill('SIGKILL');
    await eventually(() => expect(started.filter(isAlive)).toEqual([]));
  },
);

function descendantsOf(pid: number | undefined): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(join('/proc', name, 'stat'), 'utf8').split(') ')[1];
      parents.set(Number(name), Number(fields?.split(' ')[1]));
    } catch {
      // It has ended.
    }
  }
  const descends = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || descends(parents.get(one)));
  return [...parents.keys()].filter(one => one !== pid && descends(one));
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(join('/proc', String(pid), 'stat'), 'utf8'));
  } catch {
    return false;
  }
}

test('the end of the forking process is an error, not a verdict', needs(linux), async () => {
  const sandbox = await create({ isolation: 'ulimit', timeoutSeconds: 60 });
  const candidate = `import os\nopen("parent", "w").write(str(os.getppid()))\n${endless.candidate}`;
  const execution = sandbox.execute({ ...endless, candidate }).catch((error: unknown) => error);
  const parent = await eventually(() => {
    const found = Number(workFiles('parent')[0]);
    expect(found).toBeGreaterThan(0);
    return found;
  });
  process.kill(parent, 'SIGKILL');
  expect(await execution).toMatchObject({ code: 'SANDBOX_FAILED' });
  expect((await sandbox.execute(request)).verdict.kind).toBe('passed');
});

/** Files that candidates have written in their work folders. */
function workFiles(name: string): string[] {
  return readdirSync(tmpdir())
    .filter(folder => folder.startsWith(`hefix-jail-${process.pid}-`))
    .map(folder => join(tmpdir(), folder, name))
    .filter(existsSync)
    .map(file => readFileSync(file, 'utf8'));
}

describe('Python', () => {
  test('a missing Python', async () => {
    await expect(create({ python: '/nowhere/python3' })).rejects.toMatchObject({ code: 'PYTHON_MISSING' });
  });

  test('a program that is not Python', async () => {
    await expect(create({ python: '/bin/true' })).rejects.toMatchObject({ code: 'PYTHON_MISSING' });
  });

  test('a Python that is too old', async () => {
    // Imitates an old interpreter, which need not be installed.
    const python = join(await programFolder(), 'python3');
    await writeFile(python, '#!/bin/sh\necho \'{"executable": "/opt/python3.6", "version": [3, 6, 15]}\'\n');
    await chmod(python, 0o755);
    await expect(create({ python })).rejects.toMatchObject({
      code: 'PYTHON_TOO_OLD',
      message: '/opt/python3.6 is Python 3.6.15; the sandbox needs 3.9 or newer.',
    });
  });

  test('a Python that is not CPython', async () => {
    // Imitates PyPy, which need not be installed.
    const python = join(await programFolder(), 'python3');
    const about = '{"executable": "/opt/pypy3", "version": [3, 11, 13], "implementation": "pypy"}';
    await writeFile(python, `#!/bin/sh\necho '${about}'\n`);
    await chmod(python, 0o755);
    await expect(create({ python })).rejects.toMatchObject({
      code: 'PYTHON_NOT_CPYTHON',
      message: '/opt/pypy3 is PyPy; the sandbox needs CPython 3.9 or newer.',
    });
  });

  const pypy = findProgram('pypy3');
  const needsPyPy = needs({ what: 'PyPy (apt-get install pypy3)', isThere: pypy !== undefined });
  test('a real PyPy', needsPyPy, async () => {
    await expect(create({ python: pypy ?? '' })).rejects.toMatchObject({ code: 'PYTHON_NOT_CPYTHON' });
  });

  test('installed packages can be imported', async () => {
    const sandbox = await create();
    const candidate =
      'import sys\nfolders = [path for path in sys.path if path.endswith("-packages")]\ndef f(x):\n    return bool(folders)\n';
    const { verdict } = await sandbox.execute({ ...request, candidate, tests: 'assert f(1)' });
    expect(verdict.kind).toBe('passed');
  });
});
