import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hefix, writeSmallSet } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('hefix score judges a file of samples and prints the summary', async () => {
  const cwd = await temporaryFolder();
  const { dataset } = await writeSmallSet(cwd, 2);
  const rows = [
    { task_id: 'small/0', solution: 'def plus_0(x):\n    return x\n' },
    { task_id: 'small/1', completion: '    return x\n' },
  ];
  await writeFile(join(cwd, 'samples.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  const args = ['score', 'samples.jsonl', '--dataset', dataset, '--out', 'scored.jsonl'];
  const { stdout, stderr, exitCode } = await hefix(args, { cwd });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/✓ 1\/2 small\/0 passed/);
  expect(stderr).toMatch(/✗ 2\/2 small\/1 failed/);
  expect(JSON.parse(String(stdout))).toMatchObject({
    records: 'scored.jsonl',
    summary: { solved: 1, runs: 2 },
  });

  const again = await hefix(['score', 'samples.jsonl', '--dataset', dataset], { cwd: join(cwd, '..') });
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain(
    'samples.jsonl cannot be read: no such file or directory. [SAMPLES_NOT_READABLE]',
  );
});
