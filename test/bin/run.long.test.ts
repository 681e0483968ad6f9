import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import { hefix } from '../support/cli.ts';
import { heldRun } from '../support/held-run.ts';
import { firstRecord } from '../support/small-run.ts';

test('SIGTERM ends it with 130, whole lines, and a hint on how to resume', async () => {
  const { args, out, env, release } = await heldRun(30, 5);
  const running = hefix([...args, '--out', out], { env });
  await firstRecord(out, running);
  running.kill('SIGTERM');
  const { exitCode, stdout, stderr } = await running;
  expect([exitCode, stderr]).toEqual([130, expect.anything()]);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/Interrupted; [1-5] of 30 tasks are recorded/);
  expect(stderr).toContain(`run the same command with --out ${out} --resume.`);
  const bytes = await readFile(out);
  expect(parseRecords(out, bytes)).toMatchObject({ whole: bytes.length, unfinished: false });
  release();
  const resumed = await hefix([...args, '--out', out, '--resume'], { env });
  expect(JSON.parse(String(resumed.stdout))).toMatchObject({ summary: { tasks: 30, solved: 30 } });
});

test('a second Ctrl-C ends it immediately, and the records stay intact', async () => {
  const { args, out, env, release } = await heldRun(30, 5);
  const running = hefix([...args, '--out', out, '--workers', '2'], { env });
  await firstRecord(out, running);
  running.kill('SIGINT');
  // Two equal signals at the same time count as one; this one has the same effect and surely is the second.
  running.kill('SIGTERM');
  const { signal, stdout, stderr } = await running;
  // In a shell, this is exit code 130.
  expect([signal, stdout]).toEqual(['SIGINT', '']);
  expect(stderr).not.toContain('terminate called');
  release();
  const resumed = await hefix([...args, '--out', out, '--resume'], { env });
  expect(JSON.parse(String(resumed.stdout))).toMatchObject({ summary: { tasks: 30, solved: 30 } });
});
