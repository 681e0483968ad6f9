import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandNames } from '../../lib/cli/commands.ts';
import { hefix } from '../support/cli.ts';
import { type InterruptedCase, scripted, testInterrupts } from '../support/interrupted.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const queue = ['--queue', 'redis://127.0.0.1:PORT'];

const cases: Readonly<Record<string, InterruptedCase>> = {
  'fix, whose tests never end': { args: ['fix', '.', '--time', '600'], cwd: 'endless', after: 2500 },
  'fix, whose manifest is a device': { args: ['fix', '.', '--time', '600'], cwd: 'device', after: 700 },
  score: { args: ['score', 'samples.jsonl', '--dataset', 'endless.jsonl', '--timeout', '600'], after: 2000 },
  sweep: { args: ['sweep', ...scripted, '--dataset', 'pipe.jsonl', '--out', 'sweep'], after: 1200, ends: 1 },
  compare: { args: ['compare', 'long.jsonl', 'long.jsonl'], after: 900, ends: 0 },
  merge: { args: ['merge', 'long.jsonl', 'long.jsonl', '--out', 'm.jsonl'], after: 1000, ends: 0 },
  export: { args: ['export', 'long.jsonl', '--out', 'e.csv'], after: 900, ends: 0 },
  report: { args: ['report', 'long.jsonl', '--out', 'r.html'], after: 900, ends: 0 },
  view: { args: ['view', 'long.jsonl', '--no-open'], after: 1500, exitCode: 0 },
  rerun: { args: ['rerun', 'pipe.manifest.json'], after: 900, ends: 1 },
  robust: { args: ['robust', 'long.jsonl'], after: 900, ends: 0 },
  verify: { args: ['verify', '--dataset', 'endless.jsonl', '--timeout', '600'], after: 1500 },
  attack: { args: ['attack'], after: 2000 },
  worker: { args: ['worker', ...queue], after: 1500 },
  queue: { args: ['queue', 'status', ...queue], after: 1000 },
  step: { args: ['step', ...scripted, '--dataset', 'pipe.jsonl', '--task', 'small/0'], after: 900, ends: 1 },
  machine: { args: ['machine', '--format', 'svg'], after: 400, ends: 0 },
  models: { args: ['models', '--folder', 'many'], after: 600, ends: 0 },
  pull: { args: ['pull', 'example/model'], after: 1000 },
  doctor: { args: ['doctor'], after: 700, ends: 0 },
  trust: { args: ['trust', '.'], cwd: 'device', after: 400, ends: 0 },
  completion: { args: ['completion', 'bash'], after: 300, ends: 0 },
};

testInterrupts(cases);

test('every command is interrupted, here or in interrupted.test.ts', () => {
  const names = ['run', 'fix', 'exec', 'mcp', ...Object.keys(cases)];
  expect(names.filter(name => !name.includes(' ')).toSorted()).toEqual(commandNames.toSorted());
});

test('--time of fix holds for a function of 2,500 lines', async () => {
  const cwd = await temporaryFolder();
  const lines = '    x = x + 1 - 1\n'.repeat(2500);
  await writeFile(join(cwd, 'm.py'), `def f(x):\n${lines}    return x\n`);
  await writeFile(join(cwd, 'test_m.py'), 'from m import f\n\n\ndef test_f():\n    assert f(1) == 2.5\n');
  const started = performance.now();
  const { exitCode } = await hefix(['fix', '.', '--no-rank', '--time', '3'], { cwd, timeout: 100_000 });
  expect(exitCode).toBe(1);
  // The copy, the start of the tests and the last answers are not part of it. Without --time, it is 60 seconds.
  expect(performance.now() - started).toBeLessThan(45_000);
});
