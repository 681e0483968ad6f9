import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Limits } from '../../../lib/sandbox/isolation/jail.ts';
import { eventually } from '../../support/eventually.ts';
import { levelNeeds, linux, needs } from '../../support/needs.ts';
import { type Ground, layGround, type User, users } from './ground.ts';
import { attacks, type Bait, ordinary, ownMetadata, type Program, walls } from './programs.ts';

const limits: Limits = {
  memoryMiB: 512,
  // Processor time, so that it is enough for all but the endless loop, also on a busy machine.
  cpuSeconds: 1,
  processes: 16,
  openFiles: 32,
  fileSizeMiB: 8,
  workFolderMiB: 32,
};

interface Result {
  readonly name: string;
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}
let ground: Ground;
beforeAll(async () => {
  if (linux.isThere) ground = await layGround(marker);
});
afterAll(() => ground?.clear());

describe.each([
  ['a jail', false],
  ['a jail inside a jail', true],
])('%s', needs(linux), (_, inside) => {
  for (const user of users) {
    for (const level of ['bubblewrap', 'namespaces', 'ulimit'] as const) {
      describe(`a jail at the level ${level}, started by ${user.name}`, () => {
        let results: Map<string, Result>;
        const result = (name: string, skip: (note: string) => never): Result =>
          results.get(name) ?? skip(levelNeeds[level]);

        beforeAll(async () => {
          const unfiltered = level === 'ulimit' ? [] : [{ ...walls(ground.bait), unfiltered: true }];
          const programs = [...attacks(ground.bait), ordinary, ownMetadata, ...endings, ...unfiltered];
          const run = await runJails(user, level, programs, inside);
          results = run.results;
        });

        test.for(attacks({} as Bait).map(({ name }) => name))('refuses: %s', (name, { skip }) => {
          const { stdout, stderr } = result(name, skip);
          expect(stdout, stderr).toMatch(/refused/);
          expect(stdout.split('\n').filter(line => line.includes('OPEN'))).toEqual([]);
          expect(stderr).toBe('');
        });
        // At the level ulimit, the filter is the only protection.
        if (level !== 'ulimit') {
          test('has protections besides the system call filter', ({ skip }) => {
            const { stdout, stderr } = result('without a filter', skip);
            expect(stdout, stderr).toMatch(/refused/);
            expect(stdout.split('\n').filter(line => line.includes('OPEN'))).toEqual([]);
            expect(Number(/forks refused after (\d+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(
              limits.processes,
            );
            expect(ground.left()).toEqual([]);
            expect(ground.disturbances()).toEqual([]);
          });
        }
        test('lets ordinary programs work', ({ skip }) => {
          const { stdout, stderr } = result('ordinary work', skip);
          expect(stderr).toBe('');
          expect(stdout).toMatch(/^fine/);
        });
        test('lets programs change their own files', ({ skip }) => {
          const kept = level === 'ulimit' && (user.uid ?? process.getuid?.()) !== 0;
          expect(result('metadata of its own', skip).stdout).toBe(kept ? 'refused\n' : 'changed\n');
        });
        test('reports how the program ended', ({ skip }) => {
          expect(result('exits with 3', skip).status).toBe(3);
          expect(numberOf(result('kills itself', skip))).toBe(9);
          expect(numberOf(result('aborts', skip))).toBe(6);
          expect(numberOf(result('loops', skip))).toBe(24);
        });
        test('limits memory, files and threads', ({ skip }) => {
          expect(result('takes memory', skip).stdout).toBe('MemoryError\n');
          expect(result('writes a large file', skip).stdout).toBe(`${8 * 2 ** 20} File too large\n`);
          expect(Number(result('starts threads', skip).stdout)).toBeLessThan(80);
          expect(Number(result('opens files', skip).stdout)).toBeLessThan(32);
          if (level !== 'ulimit') {
            expect(Number(result('fills the folder', skip).stdout)).toBeLessThanOrEqual(32);
          }
        });
        test('ends when its process is killed', ({ skip }) => {
          expect(result('is killed', skip).signal).toBe('SIGKILL');
          expect(ground.left()).toEqual([]);
        });
        test('ends when hefix is killed, and leaves nothing after the next start', async ({ skip }) => {
          result('ordinary work', skip);
          const mounts = readFileSync('/proc/self/mounts', 'utf8');
          const program = {
            name: 'sleeps',
            code: `open('x', 'w').write('x'); print('up', flush=True)\n${sleepForever}`,
          };
          const hefix = startJails(user, level, [program], inside);
          const pid = hefix.pid as number;
          await eventually(() => expect(ground.left()).not.toEqual([]));
          process.kill(pid, 'SIGKILL');
          await eventually(() => expect(ground.left()).toEqual([]));
          await runJails(user, level, [], inside);
          expect(readdirSync(tmpdir()).filter(name => name.startsWith(`hefix-jail-${pid}-`))).toEqual([]);
          expect(readFileSync('/proc/self/mounts', 'utf8')).toBe(mounts);
        });
        test.for(['start', 'fork'])(
          'ends when hefix was killed before its %s',
          async (outlives, { skip }) => {
            result('ordinary work', skip);
            const hefix = startJails(user, level, [{ name: 'sleeps', code: sleepForever, outlives }], inside);
            await eventually(() => expect(ground.left()).not.toEqual([]));
            hefix.kill('SIGKILL');
            await eventually(() => expect(ground.left()).toEqual([]));
            await runJails(user, level, [], inside);
          },
        );
        test('leaves the host unchanged', ({ skip }) => {
          expect(result('hides files', skip).stdout).toBe('hidden\n');
          expect(orphans()).toEqual([]);
          expect(ground.disturbances()).toEqual([]);
        });
      });
    }
  }
});

const marker = `hefix-test-${process.pid}`;
const sleepForever = `import time\nwhile True: time.sleep(9) # ${marker}`;

const endings: Array<Program & { killAfter?: string }> = [
  { name: 'exits with 3', code: 'import os; os._exit(3)' },
  { name: 'kills itself', code: 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)' },
  { name: 'aborts', code: 'import os; os.abort()' },
  { name: 'loops', code: 'while True: pass' },
  {
    name: 'takes memory',
    code: 'try:\n    bytearray(1 << 30)\nexcept MemoryError:\n    print("MemoryError")',
  },
  {
    name: 'writes a large file',
    code: `
import os
file = open('large', 'wb', buffering=0)
try:
    while True: file.write(bytes(1 << 20))
except OSError as error:
    print(os.path.getsize('large'), error.strerror)`,
  },
  {
    name: 'fills the folder',
    code: `
written = 0
try:
    for number in range(100):
        with open(str(number), 'wb', buffering=0) as file:
            for _ in range(8): written += file.write(bytes(1 << 20))
except OSError: pass
print(written >> 20)`,
  },
  {
    name: 'starts threads',
    code: `
import os, threading
started = 0
try:
    for started in range(500): threading.Thread(target=threading.Event().wait, daemon=True).start()
except RuntimeError: pass
print(started, flush=True)
os._exit(0)`,
  },
  {
    name: 'opens files',
    code: `
held = []
try:
    while True: held.append(open('many', 'w'))
except OSError: pass
print(len(held))`,
  },
  {
    name: 'hides files',
    code: `
import os
os.makedirs('closed/inner')
try: os.chmod('closed', 0)
except PermissionError: pass
os.mkdir('deep')
os.chdir('deep')
for _ in range(2100):
    os.mkdir('d')
    os.chdir('d')
os.symlink('/', 'root')
print('hidden')`,
  },
  { name: 'is killed', code: `print('up', flush=True)\n${sleepForever}`, killAfter: 'up' },
];

/** The signal that ended a program, however the level reports it. */
function numberOf({ status, signal }: Result): number | null {
  const numbers: Record<string, number> = { SIGKILL: 9, SIGABRT: 6, SIGXCPU: 24 };
  return signal !== null ? (numbers[signal] ?? null) : status === null ? null : status - 128;
}

/** Work folders left by processes that were started here. */
function orphans(): string[] {
  return readdirSync(tmpdir()).filter(
    name => name.startsWith('hefix-jail-') && started.has(name.split('-')[2] ?? ''),
  );
}
const started = new Set<string>();

function startJails(user: User, level: string, programs: readonly object[], inside: boolean): ChildProcess {
  const order = JSON.stringify({ python: ground.python, wanted: level, programs, limits, inside });
  const child = spawn(
    process.execPath,
    [join(ground.root, 'test/sandbox/isolation/run-jails.mjs'), ground.root, order],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: '/',
      env: { PATH: process.env.PATH, TMPDIR: tmpdir() },
      ...(user.uid === undefined ? {} : { uid: user.uid, gid: user.uid }),
    },
  );
  started.add(String(child.pid));
  return child;
}

async function runJails(
  user: User,
  level: string,
  programs: readonly object[],
  inside: boolean,
): Promise<{ results: Map<string, Result>; refusal: string }> {
  const child = startJails(user, level, programs, inside);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', piece => {
    stdout += piece;
  });
  child.stderr?.on('data', piece => {
    stderr += piece;
  });
  const status = await new Promise(resolve => child.once('close', resolve));
  const refusal = /HefixError: (.*)/.exec(stderr)?.[1] ?? '';
  if (status !== 0 && refusal === '') throw new Error(stderr);
  const results = stdout
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map(line => JSON.parse(line) as Result);
  return { results: new Map(results.map(result => [result.name, result])), refusal };
}
