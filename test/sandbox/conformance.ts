import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution, Sandbox } from '../../lib/core/ports.ts';
import { eventually } from '../support/eventually.ts';
import { type AttackProgram, attackPrograms } from './attack-programs.ts';
import { faultyTests } from './faulty-tests.ts';
import { keptBytes, type MemoryWatch, maxGrowth, watchMemory } from './host-memory.ts';

/** Seconds that an execution may take, even on a busy machine. */
const enoughSeconds = 20;
/** For programs that must reach some point before they hang; the failing programs rely on it. */
const someSeconds = 4;
const memoryMiB = 512;

const programs = attackPrograms('python');
const attacks = programs.filter(one => one.kind === 'attack');
const correctCandidates = programs.filter(one => one.class === 'correct');
const failingCandidates = programs.filter(one => one.class === 'failing');
const onHost = ['hanging', 'output', 'processes', 'memory', 'files', 'network'];

export interface Limits {
  readonly timeoutSeconds: number;
  readonly memoryMiB: number;
}

/** The requirements on every sandbox that runs Python. */
export function describeConformance(kind: string, create: (limits: Limits) => Promise<Sandbox>): void {
  describeAttacks(kind, create, 1);
  describePrograms(kind, create);
}

/** The same, with one in four of the attacks on the judge, which is that of the other kinds. */
export function describeContainer(kind: string, create: (limits: Limits) => Promise<Sandbox>): void {
  const list = attacks.filter((one, index) => onHost.includes(one.class) || index % 4 === 0);
  // The time that a container waits for a processor is not known, so it is not excluded.
  describeAttacks(kind, create, 3, list);
  describePrograms(kind, create);
}

/** The requirements that depend on how a sandbox isolates. */
export function describeIsolation(kind: string, create: (limits: Limits) => Promise<Sandbox>): void {
  describeHostAttacks(kind, create);
  describePrograms(kind, create);
}

/** Attacks on the host never pass and leave nothing behind. */
export function describeHostAttacks(kind: string, create: (limits: Limits) => Promise<Sandbox>): void {
  describeAttacks(
    kind,
    create,
    1,
    attacks.filter(one => onHost.includes(one.class)),
  );
}

/**
 * Attacks never pass and leave nothing behind. Programs that never end have `hangSeconds`; those that may end first have
 * twice as long, so that they do what they try.
 */
function describeAttacks(
  kind: string,
  create: (limits: Limits) => Promise<Sandbox>,
  hangSeconds: number,
  list: readonly AttackProgram[] = attacks,
): void {
  describe(`${kind}: attacks`, () => {
    const using = useSandboxes(create, [enoughSeconds, 2 * hangSeconds, hangSeconds]);
    const hangs = (one: AttackProgram) => !one.verdicts || one.verdicts.includes('timeout');
    const seconds = (one: AttackProgram) => {
      if (!hangs(one)) return enoughSeconds;
      return one.verdicts?.length === 1 ? hangSeconds : 2 * hangSeconds;
    };

    let kept = 0;
    let memory: MemoryWatch | undefined;
    beforeAll(() => {
      kept = keptBytes();
      memory = watchMemory();
    });

    const attack = async (one: AttackProgram) => {
      const { code, tests, declaration, verdicts } = one;
      const request = {
        language: 'python',
        candidate: code,
        tests,
        declaration,
        entryPoint: 'square',
      } as const;
      const sandbox = using.sandbox(seconds(one));
      const { verdict, judge } = await sandbox.execute(request);
      // In one process a candidate could forge its pass; proven it never is.
      if (verdict.kind === 'passed') expect(judge, verdict.message).toBe('isolated');
      else if (verdicts) expect(verdicts, verdict.message).toContain(verdict.kind);
      expect(keptBytes() - kept).toBeLessThan(maxGrowth);
    };
    test.each(list.filter(one => !hangs(one)))('$class: $name', attack);
    test.concurrent.each(list.filter(hangs))('$class: $name', attack);

    test('no attack makes this process large, even briefly', () => {
      expect(memory?.growth()).toBeLessThan(maxGrowth);
    });

    test('leaves nothing outside the jail', () => {
      for (const folder of ['/tmp', '/var/tmp', '/dev/shm', process.cwd()]) {
        expect(filesOf(folder).filter(name => name.startsWith('hefix-escape'))).toEqual([]);
      }
    });
  });
}

function describePrograms(kind: string, create: (limits: Limits) => Promise<Sandbox>): void {
  describe(`${kind}: correct candidates`, () => {
    const using = useSandboxes(create, [enoughSeconds]);

    test.each(correctCandidates)('$name', async ({ code, tests }) => {
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

    test('the same candidate always gives the same execution', async () => {
      const code =
        'import random\ndef f(x):\n    print({"a", "b", "c", "d"}, random.random())\n    return set("xyz")\n';
      const tests = 'import random\nassert f(random.random()) == {"x"}';
      const [first, second] = await Promise.all([1, 2].map(() => execute(using.sandbox(), code, tests, 'f')));
      expect({ ...first, seconds: 0 }).toEqual({ ...second, seconds: 0 });
    });

    test.each(faultyTests)(
      'tests that %s are invalid, without blaming the candidate',
      async (_, tests, fault) => {
        const execution = execute(using.sandbox(), 'def f(x):\n    return x\n', tests, 'f');
        await expect(execution).rejects.toMatchObject({ code: 'TESTS_INVALID', message: fault });
      },
    );
  });

  describe(`${kind}: failing candidates`, () => {
    const using = useSandboxes(create, [enoughSeconds, someSeconds]);

    test.each(failingCandidates)('$name', async ({ code, tests, verdict = {} }) => {
      const sandbox = using.sandbox(verdict.kind === 'timeout' ? someSeconds : enoughSeconds);
      const execution = await execute(sandbox, code, tests, 'f');
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

/**
 * Sandboxes for the tests of a `describe`, keyed by their time limit in seconds; when they are closed, none
 * of their processes and folders may remain.
 */
function useSandboxes(
  create: (limits: Limits) => Promise<Sandbox>,
  timeouts: readonly number[],
): { sandbox(timeoutSeconds?: number): Sandbox } {
  const sandboxes = new Map<number, Sandbox>();
  beforeAll(async () => {
    for (const timeoutSeconds of timeouts)
      sandboxes.set(timeoutSeconds, await create({ timeoutSeconds, memoryMiB }));
  });
  afterAll(async () => {
    await Promise.all([...sandboxes.values()].map(sandbox => sandbox.close()));
    // The kernel takes a moment to end a killed process.
    await eventually(() => expect(jailProcesses()).toEqual([]));
    expect(filesOf(tmpdir()).filter(name => name.startsWith(`hefix-jail-${process.pid}-`))).toEqual([]);
  });
  return {
    sandbox(timeoutSeconds = enoughSeconds) {
      const sandbox = sandboxes.get(timeoutSeconds);
      if (!sandbox) throw new Error('the sandbox was not created');
      return sandbox;
    },
  };
}

/**
 * Processes started by this one, directly or not, including escaped ones whose arguments name its work
 * folders.
 */
function jailProcesses(): string[] {
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
      // It has ended, or belongs to another user.
    }
  }
  const isOurs = (pid: number): boolean => {
    const found = all.get(pid);
    return found !== undefined && (found.parent === process.pid || isOurs(found.parent));
  };
  return [...all]
    .filter(([pid, { environment }]) => environment.includes(`hefix-jail-${process.pid}-`) || isOurs(pid))
    .map(([, { command }]) => command);
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
