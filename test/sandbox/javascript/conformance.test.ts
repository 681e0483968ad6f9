import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/ports.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/javascript-sandbox.ts';
import { attacks, type Case, falseAlarms, outsideAttacks } from './cases.ts';

const timeoutSeconds = 3;

describe.each(['bubblewrap', 'namespaces', 'ulimit'] as const)('%s', level => {
  let sandbox: Sandbox;
  let missing: string | null = null;

  beforeAll(async () => {
    try {
      sandbox = await createJavaScriptSandbox({ timeoutSeconds, memoryMiB: 256, isolation: level });
    } catch (problem) {
      missing = `This machine has not the isolation level ${level}: ${problem instanceof Error ? problem.message : problem}`;
      console.warn(`Skipped: ${missing}`);
    }
  });
  afterAll(() => sandbox?.close());

  const check = async ({ candidate, tests, kinds }: Case): Promise<void> => {
    const memory = watchBuffers();
    const execution = await sandbox.execute({ language: 'js', entryPoint: 'f', candidate, tests });
    expect(memory.growth()).toBeLessThan(64 * 2 ** 20);
    expect(kinds, execution.verdict.message).toContain(execution.verdict.kind);
    expect(execution.isolation).toBe(level);
    expect(execution.seconds).toBeLessThan(timeoutSeconds + 1);
    expect(execution.stdout.length + execution.stderr.length).toBeLessThanOrEqual(2 * 64 * 1024);
  };

  const waits = ({ kinds }: Case) => kinds.includes('timeout');
  const every = [...outsideAttacks, ...attacks];
  for (const [run, list] of [
    [test, every.filter(one => !waits(one))],
    [test.concurrent, every.filter(waits)],
  ] as const) {
    run.for(list)('not passed: $name', async (attack, { skip }) => {
      if (missing) return skip(missing);
      expect(attack.kinds).not.toContain('passed');
      await check(attack);
    });
  }

  test.for(falseAlarms)('passed: $name', async (one, { skip }) => {
    if (missing) return skip(missing);
    await check(one);
  });

  test('leaves no process behind', async ({ skip }) => {
    if (missing) return skip(missing);
    await sandbox.close();
    expect(ownHosts()).toEqual([]);
  });
});

/** The most bytes that this process has held outside of its heap, where what it reads from others lies. */
function watchBuffers(): { growth(): number } {
  const before = process.memoryUsage().external;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().external);
  }, 10);
  return {
    growth() {
      clearInterval(timer);
      return peak - before;
    },
  };
}

/** Command lines of hosts that this process has started and that still run. */
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
