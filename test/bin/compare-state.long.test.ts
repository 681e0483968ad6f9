import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';
import { recordsIn } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The buggy function passes the example, and so does every edit that changes nothing. */
const row = {
  task_id: 'small/above',
  declaration: 'def above(values, limit):\n',
  docstring: 'How many values are above the limit.\n>>> above([3, 1], 2)\n1',
  canonical_solution: '    return len([value for value in values if value > limit])\n',
  buggy_solution: '    return len([value for value in values if value >= limit])\n',
  entry_point: 'above',
  test: 'assert above([3, 1], 2) == 1\nassert above([2, 2, 5], 2) == 1\n',
  bug_type: 'operator misuse',
};

test('no iteration is spent on a candidate that behaves like the buggy function', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'd.jsonl'), `${JSON.stringify(row)}\n`);
  const args = ['--dataset', 'd.jsonl', '--iters', '0', '--search-seconds', '300', '--out', 'r.jsonl'];
  const { exitCode, stderr } = await hefixHere(args, { cwd });
  expect([exitCode, stderr]).toEqual([0, expect.anything()]);
  const [record] = await recordsIn(join(cwd, 'r.jsonl'));
  const { compared = 0, alike = 0 } = record?.steps?.find(({ state }) => state === 'compare')?.counts ?? {};
  expect(alike).toBeGreaterThan(0);
  expect(compared).toBeGreaterThan(alike);
  const [attempt] = record?.attempts ?? [];
  // The buggy function counts the limit as above itself: it returns 3.
  expect(attempt?.verdict).toBeDefined();
  expect(attempt?.verdict).not.toMatchObject({ actual: '3' });
});
