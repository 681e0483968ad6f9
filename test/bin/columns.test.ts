import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../lib/report/results/manifest.ts';
import { hefixHere } from '../support/cli.ts';
import { recordsIn } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A row as other tools name its columns: whole programs, and no declaration. */
const row = {
  id: 'q/1',
  question: 'The area of a rectangle.\n>>> area(2, 3)\n6',
  entrypoint: 'area',
  buggy: 'import math\n\n\ndef area(width: int, height: int) -> int:\n    return width + height\n',
  solution: 'def area(width: int, height: int) -> int:\n    return width * height\n',
  test_code: 'assert area(2, 3) == 6\nassert area(1, 5) == 5\n',
};
const columns =
  'task_id=id,docstring=question,buggy_solution=buggy,canonical_solution=solution,entry_point=entrypoint,test=test_code';

async function written(value: object) {
  const folder = await temporaryFolder();
  const dataset = join(folder, 'quiz.jsonl');
  await writeFile(dataset, `${JSON.stringify(value)}\n`);
  const script = join(folder, 'script.jsonl');
  const answer = '```python\ndef area(width: int, height: int) -> int:\n    return width * height\n```';
  await writeFile(script, `${JSON.stringify({ completions: [answer] })}\n`);
  const data = ['--dataset', dataset];
  return {
    folder,
    data,
    run: ['--backend', 'scripted', '--model', script, ...data],
    at: (name: string) => join(folder, name),
  };
}

test('unknown column names are answered with the mapping that works', async () => {
  const { run, at } = await written(row);
  const out = at('r.jsonl');
  const refused = await hefixHere([...run, '--out', out]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(
    /row 1, has no columns task_id, buggy_solution, entry_point, test\. \[DATASET_COLUMN_MISSING\]/,
  );
  const suggested = /add --columns (\S+)/.exec(refused.stderr)?.[1] ?? '';
  expect(suggested.split(',').toSorted()).toEqual(columns.split(',').toSorted());

  const mapped = await hefixHere([...run, '--columns', suggested, '--out', out, '--verbose']);
  expect([mapped.exitCode, mapped.stderr]).toEqual([0, expect.stringContaining('The area of a rectangle.')]);
  const [record] = await recordsIn(out);
  expect(record).toMatchObject({ task_id: 'q/1', passed: true, buggy: row.buggy });
  expect((await readManifest(at('r.manifest.json'))).options.columns).toBe(suggested);
  const other = await hefixHere([
    ...run,
    '--columns',
    columns.replace('docstring=question,', ''),
    '--out',
    out,
    '--resume',
  ]);
  expect([other.exitCode, other.stderr]).toEqual([1, expect.stringContaining('[RESUME_MISMATCH]')]);
});

test('verify, score and sweep map them too', async () => {
  const { folder, data, run, at } = await written(row);
  const verified = await hefixHere(['verify', ...data, '--columns', columns]);
  expect([verified.exitCode, JSON.parse(verified.stdout)]).toMatchObject([
    0,
    { canonical: { passed: 1, total: 1 }, buggy: { passed: 0, total: 1 } },
  ]);
  await writeFile(at('samples.jsonl'), `${JSON.stringify({ task_id: 'q/1', solution: row.solution })}\n`);
  const scored = await hefixHere([
    'score',
    at('samples.jsonl'),
    ...data,
    '--columns',
    columns,
    '--out',
    at('s.jsonl'),
  ]);
  expect([scored.exitCode, JSON.parse(scored.stdout).summary.solved]).toEqual([0, 1]);
  const swept = await hefixHere([
    'sweep',
    ...run,
    '--iters',
    '0',
    '--columns',
    columns,
    '--out',
    join(folder, 'sweep'),
  ]);
  expect([swept.exitCode, JSON.parse(swept.stdout).rows[0].value]).toEqual([0, 1]);
});

test.each(['test', 'tests=test', 'test=a,test=b', 'test=a=b'])('%s is no mapping', async value => {
  const { run, at } = await written(row);
  const { exitCode, stderr } = await hefixHere([...run, '--columns', value, '--out', at('r.jsonl')]);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/^error --columns is ".*", expected pairs such as test=test_code/),
  ]);
});

test('a program without the entry point, and a set without solutions, are named', async () => {
  const { solution: _, ...unsolved } = row;
  const bare = await written(unsolved);
  const verified = await hefixHere([
    'verify',
    ...bare.data,
    '--columns',
    columns.replace('canonical_solution=solution,', ''),
  ]);
  expect(verified.stderr).toContain('has no canonical_solution for q/1. [DATASET_COLUMN_MISSING]');
  const { run, at } = await written({ ...row, entrypoint: 'volume' });
  const { stderr } = await hefixHere([...run, '--columns', columns, '--out', at('r.jsonl')]);
  expect(stderr).toContain('has no column declaration, and its buggy_solution does not define volume.');
});
