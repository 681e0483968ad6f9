import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution, Sandbox } from '../../lib/ports.ts';
import { type Attack, attacks, squareTests } from './attack-candidates.ts';
import { correctCandidates } from './correct-candidates.ts';
import { failingCandidates, faultyTests } from './failing-candidates.ts';

/** Seconds that an execution may take: hanging attacks cost as much, correct candidates must fit even on a busy machine. */
const attackSeconds = 1.5;
const correctSeconds = 20;
const memoryMiB = 512;
const maxGrowthBytes = 64 * 2 ** 20;

export interface Limits {
  readonly timeoutSeconds: number;
  readonly memoryMiB: number;
}

/** What every sandbox that runs Python must hold to, whatever keeps it apart from the machine. */
export function describeConformance(kind: string, create: (limits: Limits) => Promise<Sandbox>): void {
  describe(`${kind}: attacks`, () => {
    const using = useSandbox(() => create({ timeoutSeconds: attackSeconds, memoryMiB }));

    let kept = 0;
    beforeAll(() => {
      kept = keptBytes();
    });

    const attack = async ({ code, tests = squareTests, declaration = '', kinds }: Attack) => {
      const request = {
        language: 'python',
        candidate: code,
        tests,
        declaration,
        entryPoint: 'square',
      } as const;
      collectGarbage();
      const before = process.memoryUsage().rss;
      const { verdict, seconds } = await using.sandbox().execute(request);
      expect(verdict.kind, verdict.message).not.toBe('passed');
      if (kinds) expect(kinds, verdict.message).toContain(verdict.kind);
      expect(seconds).toBeLessThan(attackSeconds + 3);
      expect(process.memoryUsage().rss - before).toBeLessThan(maxGrowthBytes);
    };
    const waits = (one: Attack) => !one.kinds || one.kinds.includes('timeout');
    test.each(attacks.filter(one => !waits(one)))('$name', attack);
    test.concurrent.each(attacks.filter(waits))('$name', attack);

    test('nothing of the attacks is kept in memory', () => {
      expect(keptBytes() - kept).toBeLessThan(maxGrowthBytes);
    });

    test('nothing was written outside', () => {
      for (const folder of ['/tmp', '/var/tmp', '/dev/shm', process.cwd()]) {
        expect(filesOf(folder).filter(name => name.startsWith('hefix-escape'))).toEqual([]);
      }
    });
  });

  describe(`${kind}: correct candidates`, () => {
    const using = useSandbox(() => create({ timeoutSeconds: correctSeconds, memoryMiB }));

    test.each(correctCandidates)('$name', async ({ code, tests = squareTests }) => {
      const { verdict } = await execute(using.sandbox(), code, tests, 'square');
      expect(verdict).toEqual({ kind: 'passed', message: 'All tests passed.' });
    });

    test('keeps the first output and counts the rest', async () => {
      const code = 'def f(x):\n    print("é" * 200_000)\n    return x\n';
      const { stdout, droppedBytes } = await execute(using.sandbox(), code, 'assert f(1) == 1', 'f');
      expect(stdout.startsWith('éé')).toBe(true);
      expect(Buffer.byteLength(stdout) + droppedBytes).toBe(400_001);
      expect(droppedBytes).toBeGreaterThan(0);
    });

    test('the same candidate gives the same execution every time', async () => {
      const code =
        'import random\ndef f(x):\n    print({"a", "b", "c", "d"}, random.random())\n    return set("xyz")\n';
      const tests = 'import random\nassert f(random.random()) == {"x"}';
      const [first, second] = await Promise.all([1, 2].map(() => execute(using.sandbox(), code, tests, 'f')));
      expect({ ...first, seconds: 0 }).toEqual({ ...second, seconds: 0 });
    });

    test.each(faultyTests)('tests that %s are at fault, not the candidate', async (_, tests, fault) => {
      const execution = execute(using.sandbox(), 'def f(x):\n    return x\n', tests, 'f');
      await expect(execution).rejects.toMatchObject({ code: 'TESTS_INVALID', message: fault });
    });
  });

  describe(`${kind}: failing candidates`, () => {
    const using = useSandbox(() => create({ timeoutSeconds: 3, memoryMiB }));

    test.each(failingCandidates)('$name', async ({ code, tests, verdict }) => {
      const execution = await execute(using.sandbox(), code, tests, 'f');
      expect(execution.verdict).toMatchObject(verdict);
      for (const text of [execution.verdict.expected, execution.verdict.actual]) {
        expect((text ?? '').length).toBeLessThanOrEqual(300);
      }
    });

    test('parses without running', async () => {
      const sandbox = using.sandbox();
      expect(await sandbox.checkSyntax('python', 'while True: pass')).toBeNull();
      expect(await sandbox.checkSyntax('python', 'x = 1\ny = (')).toEqual({
        line: 2,
        message: expect.stringMatching(/./),
      });
      expect(await sandbox.checkSyntax('python', `${'('.repeat(100_000)}`)).not.toBeNull();
      expect(await sandbox.checkSyntax('python', `x = ${'-'.repeat(1_000_000)}1`)).not.toBeNull();
      expect(await sandbox.checkSyntax('python', 'x = 1\0')).not.toBeNull();
      expect(await sandbox.checkSyntax('python', 'x = 1')).toBeNull();
    });
  });
}

function execute(sandbox: Sandbox, candidate: string, tests: string, entryPoint: string): Promise<Execution> {
  return sandbox.execute({ language: 'python', candidate, tests, entryPoint });
}

/** One sandbox for the tests of a `describe`; when it is closed, no process and no folder of it may be left. */
function useSandbox(create: () => Promise<Sandbox>): { sandbox(): Sandbox } {
  let sandbox: Sandbox | undefined;
  beforeAll(async () => {
    sandbox = await create();
  });
  afterAll(async () => {
    await sandbox?.close();
    expect(cellProcesses()).toEqual([]);
    expect(filesOf(tmpdir()).filter(name => name.startsWith(`hefix-cell-${process.pid}-`))).toEqual([]);
  });
  return {
    sandbox() {
      if (!sandbox) throw new Error('the sandbox was not created');
      return sandbox;
    },
  };
}

/** Processes that this one started, directly or not, and those that got away but still name its work folders. */
function cellProcesses(): string[] {
  const all = new Map<number, { parent: number; command: string; environment: string }>();
  for (const pid of filesOf('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const parent = Number(
        readFileSync(join('/proc', pid, 'stat'), 'utf8')
          .split(') ')[1]
          ?.split(' ')[1],
      );
      const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').slice(0, 80);
      const environment = readFileSync(join('/proc', pid, 'environ'), 'latin1');
      all.set(Number(pid), { parent, command, environment });
    } catch {
      // It ended meanwhile, or is another user's.
    }
  }
  const isOurs = (pid: number): boolean => {
    const found = all.get(pid);
    return found !== undefined && (found.parent === process.pid || isOurs(found.parent));
  };
  return [...all]
    .filter(([pid, { environment }]) => environment.includes(`hefix-cell-${process.pid}-`) || isOurs(pid))
    .map(([, { command }]) => command);
}

function keptBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** So that what other tests left uncollected does not count as an attack's. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
