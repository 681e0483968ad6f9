import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HefixError } from '../../../lib/core/errors.ts';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { isolatedVm, levelNeeds } from '../../support/needs.ts';
import { type AttackProgram, attackPrograms } from '../attack-programs.ts';
import { keptBytes, type MemoryWatch, maxGrowth, watchMemory } from '../host-memory.ts';

/**
 * Seconds that an execution may take: programs that hang cost as much, all others must fit even on a busy
 * machine.
 */
const hangSeconds = 2;
const enoughSeconds = 20;

const programs = attackPrograms('javascript');
const outsideAttacks = programs.filter(one => one.class === 'host');
const attacks = programs.filter(one => one.class === 'verdict');
const correct = programs.filter(one => one.class === 'correct');

describe.each(['bubblewrap', 'namespaces', 'seatbelt', 'ulimit'] as const)('%s', level => {
  let hurried: Sandbox;
  let patient: Sandbox;
  let missing: string | undefined;
  let kept = 0;
  let memory: MemoryWatch | undefined;

  beforeAll(async () => {
    try {
      const create = (timeoutSeconds: number) =>
        createJavaScriptSandbox({ timeoutSeconds, memoryMiB: 256, isolation: level });
      [hurried, patient] = [await create(hangSeconds), await create(enoughSeconds)];
    } catch (error) {
      const lacksIsolates = error instanceof HefixError && error.code === 'ISOLATED_VM_MISSING';
      missing = lacksIsolates ? isolatedVm : levelNeeds[level];
    }
    kept = keptBytes();
    memory = watchMemory();
  });
  const close = () => Promise.all([hurried?.close(), patient?.close()]);
  afterAll(close);

  const hangs = ({ verdicts }: AttackProgram) => verdicts?.includes('timeout');
  const check = async (one: AttackProgram): Promise<void> => {
    const { code: candidate, tests, verdicts = ['passed'] } = one;
    const sandbox = hangs(one) ? hurried : patient;
    const execution = await sandbox.execute({ language: 'js', entryPoint: 'f', candidate, tests });
    expect(keptBytes() - kept).toBeLessThan(maxGrowth);
    // In one process a candidate could forge its pass; proven it never is.
    const isPassOfOneProcess = execution.judge === 'isolated' && execution.verdict.kind === 'passed';
    if (!isPassOfOneProcess) expect(verdicts, execution.verdict.message).toContain(execution.verdict.kind);
    expect(execution.isolation).toBe(level);
    expect(execution.stdout.length + execution.stderr.length).toBeLessThanOrEqual(2 * 64 * 1024);
  };

  // What does not depend on the level is judged completely at the strongest one. The level `namespaces` differs from
  // bubblewrap only in how it is set up, so a sample is enough for the other attacks too.
  const isStrongest = level === 'bubblewrap' || level === 'seatbelt';
  const sample = (list: readonly AttackProgram[]) =>
    list.filter((_, index) => isStrongest || index % 4 === 0);
  const every = [...(level === 'ulimit' ? outsideAttacks : sample(outsideAttacks)), ...sample(attacks)];
  for (const [run, list] of [
    [test, every.filter(one => !hangs(one))],
    [test.concurrent, every.filter(hangs)],
  ] as const) {
    run.for(list)('not passed: $name', async (attack, { skip }) => {
      if (missing !== undefined) return skip(missing);
      expect(attack.verdicts).not.toContain('passed');
      await check(attack);
    });
  }

  test.for(sample(correct))('passed: $name', async (one, { skip }) => {
    if (missing !== undefined) return skip(missing);
    await check(one);
  });

  test('no candidate makes this process large, even briefly', ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    expect(memory?.growth()).toBeLessThan(maxGrowth);
  });

  test('leaves no process behind', async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    await close();
    expect(ownHosts()).toEqual([]);
  });
});

/** Command lines of hosts that this process has started and that are still running. */
function ownHosts(): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return Number(parent) === process.pid && command.includes('-host.js') ? [command] : [];
      } catch {
        return [];
      }
    });
}
