import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';
import { recordsIn } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Many edits agree with its one example, such as `> 0`, `>= 0` and `> -1`. */
const row = {
  task_id: 'small/positives',
  declaration: 'def positives(values):\n',
  docstring: 'How many are above 0.\n\n>>> positives([3, 1, -2])\n2\n',
  canonical_solution: '    return len([value for value in values if value > 0])\n',
  buggy_solution: '    return len([value for value in values if value < 0])\n',
  entry_point: 'positives',
  test: 'assert positives([3, 1, -2]) == 2\nassert positives([0]) == 0\n',
  bug_type: 'operator misuse',
};

async function recordWith(feedback: string) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'd.jsonl'), `${JSON.stringify(row)}\n`);
  const args = ['--dataset', 'd.jsonl', '--agent', 'search', '--no-rank', '--feedback', feedback];
  const { exitCode, stderr } = await hefixHere([...args, '--out', 'r.jsonl'], { cwd });
  expect([exitCode, stderr]).toEqual([0, expect.anything()]);
  const [record] = await recordsIn(join(cwd, 'r.jsonl'));
  return record;
}

test('a record says how many behaviours agree with the examples given as feedback', async () => {
  const record = await recordWith('examples');
  expect(record?.example_verdict?.kind).toBe('passed');
  const { programs = 0, behaviours = 0 } = record?.agreeing ?? {};
  expect(behaviours).toBeGreaterThan(1);
  expect(programs).toBeGreaterThanOrEqual(behaviours);
  // The hidden tests are not needed for that, and decide otherwise.
  expect((await recordWith('examples'))?.agreeing).toEqual({ programs, behaviours });
});

test('a record with other feedback does not say how many behaviours agree', async () => {
  expect((await recordWith('tests'))?.agreeing).toBeUndefined();
  expect((await recordWith('none'))?.agreeing).toBeUndefined();
});
