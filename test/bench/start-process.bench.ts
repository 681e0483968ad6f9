import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execa } from 'execa';
import { test } from 'vitest';
import { median } from '../../lib/core/numbers.ts';

/**
 * What it takes this process to start a program with the five descriptors of a candidate, with node:child_process and
 * with execa: processor time is what a verdict pays, and other load changes it little. The starts alternate.
 */
const rounds = 100;
const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;

const starts = {
  async 'node:child_process'() {
    await once(spawn('/bin/true', [], { stdio: [...stdio] }), 'close');
  },
  async execa() {
    await execa('/bin/true', [], { stdio, buffer: false, reject: false, cleanup: false });
  },
};

test('starting a program', async () => {
  const spent: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    const order = Object.entries(starts);
    for (const [name, start] of round % 2 === 0 ? order : order.reverse()) {
      const before = process.cpuUsage();
      await start();
      const { user, system } = process.cpuUsage(before);
      spent[name] = [...(spent[name] ?? []), (user + system) / 1000];
    }
  }
  for (const [name, times] of Object.entries(spent)) {
    console.log(`${name}: ${median(times)?.toFixed(2)} ms of processor time a start`);
  }
});
