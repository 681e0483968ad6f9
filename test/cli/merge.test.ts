import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { compareRuns } from '../../lib/cli/compare/command.ts';
import { mergeResults } from '../../lib/cli/merge/command.ts';
import { recordFormat, withoutTimes } from '../../lib/core/record.ts';
import { parseRunOptions, type RunOptions } from '../../lib/options/tables/run-options.ts';
import { readResults } from '../../lib/report/results/read-results.ts';
import { type RunParts, run } from '../../lib/run/run.ts';
import { context, partsFor, tasks } from '../run/fakes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

/** The scripted model answers with its tasks' solutions in order; all have the same fingerprint. */
async function write(name: string, changed: Partial<RunOptions> = {}, parts: Partial<RunParts> = {}) {
  const out = join(folder, name);
  const all = tasks(5);
  const [index, count] = (changed.shard ?? '1/1').split('/').map(Number);
  const own = all.filter((_, place) => place % (count ?? 1) === (index ?? 1) - 1);
  const createModel = async () => {
    const model = await partsFor(own).createModel(parseRunOptions({}));
    return { ...model, fingerprint: 'sha256:4' };
  };
  await run(parseRunOptions({ out, ...changed }), partsFor(all, { createModel, ...parts }), context());
  return out;
}

describe('merging', () => {
  test('the merged parts of a run equal the whole run', async () => {
    const parts = [await write('2.jsonl', { shard: '2/2' }), await write('1.jsonl', { shard: '1/2' })];
    const whole = await write('whole.jsonl');
    const out = join(folder, 'merged.jsonl');
    expect(await mergeResults(parts, out)).toMatchObject({ records: out, count: 5, warnings: [] });
    const [merged, expected] = [await readResults(out), await readResults(whole)];
    expect(merged.records.map(withoutTimes)).toEqual(expected.records.map(withoutTimes));
    expect(merged.manifest.options).toEqual({ ...expected.manifest.options, out });
    expect(merged.manifest.sessions).toHaveLength(2);
  });

  test('can be resumed like a single run', async () => {
    const part = await write('1.jsonl', { shard: '1/2' });
    const out = join(folder, 'merged.jsonl');
    await mergeResults([part], out);
    await write('merged.jsonl', { resume: true });
    expect((await readResults(out)).records).toHaveLength(5);
  });

  test.each<[string, Partial<RunOptions>, Partial<RunParts>, string, RegExp]>([
    ['a task that two hold', { limit: 1 }, {}, 'MERGE_OVERLAP', /both contain set\/0/],
    ['another option', { shard: '2/2', iters: 1 }, {}, 'MERGE_MISMATCH', /--iters 3, and .* with 1/],
    [
      'other prompts',
      { shard: '2/2' },
      { prompts: 'sha256:9' },
      'MERGE_MISMATCH',
      /prompts 2, and .* with 9/,
    ],
    [
      'another dataset',
      { shard: '2/2' },
      { loadDataset: async () => ({ name: 'set', fingerprint: 'sha256:8', tasks: tasks(5) }) },
      'MERGE_MISMATCH',
      /dataset set \(1\), and .* with set \(8\)/,
    ],
  ])('refuses %s, and writes nothing', async (_, options, parts, code, message) => {
    const paths = [await write('1.jsonl', { shard: '1/2' }), await write('2.jsonl', options, parts)];
    const out = join(folder, 'merged.jsonl');
    await expect(mergeResults(paths, out)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    await expect(readFile(out)).rejects.toThrow('ENOENT');
  });

  test('reports other differences', async () => {
    const paths = [
      await write('1.jsonl', { shard: '1/2' }),
      await write('2.jsonl', { shard: '2/2' }, { versions: { hefix: '9.9.9' } }),
    ];
    const { warnings } = await mergeResults(paths, join(folder, 'merged.jsonl'));
    expect(warnings).toEqual([expect.stringContaining('version of hefix 0.0.0, and')]);
  });
});

describe('a results file', () => {
  test('a results file without records is reported', async () => {
    const path = join(folder, 'empty.jsonl');
    await writeFile(path, '');
    await expect(readResults(path)).rejects.toMatchObject({ code: 'RECORDS_EMPTY' });
    await expect(readResults(join(folder, 'none.jsonl'))).rejects.toMatchObject({
      code: 'RECORDS_NOT_READABLE',
    });
  });

  test('a results file of a newer or a mixed format is reported', async () => {
    const path = await write('r.jsonl');
    const [line = ''] = (await readFile(path, 'utf8')).split('\n');
    await appendFile(
      path,
      `${JSON.stringify({ ...JSON.parse(line), format: recordFormat + 1, task_id: 'set/9' })}\n`,
    );
    await expect(readResults(path)).rejects.toMatchObject({ code: 'RECORDS_OF_OTHER_FORMAT' });
    await writeFile(path, `${line}\n{"task": "set/3", "ok": true}\n`);
    await expect(readResults(path)).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      message: expect.stringContaining('line 2'),
    });
  });

  test('a results file that is still being written can be read but not merged', async () => {
    const path = await write('r.jsonl');
    const other = await write('other.jsonl');
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, -100));
    await writeFile(`${path}.lock`, JSON.stringify({ pid: 1, host: `not ${hostname()}`, started: 0 }));
    const { whole, warnings } = await compareRuns(path, other);
    expect(whole.tasks).toBe(4);
    expect(warnings).toEqual([expect.stringContaining('run in progress')]);
    await expect(mergeResults([path], join(folder, 'merged.jsonl'))).rejects.toMatchObject({
      code: 'MERGE_GROWING',
    });
  });
});

test('a comparison lists the differences that affect results', async () => {
  const a = await write('a.jsonl');
  const b = await write('b.jsonl', { iters: 1 }, { prompts: 'sha256:9' });
  const { differences, warnings, whole } = await compareRuns(a, b);
  expect(differences).toEqual([
    { what: 'prompts', a: '2', b: '9' },
    { what: '--iters', a: '3', b: '1' },
  ]);
  expect(warnings).toEqual(['A and B differ in prompts: 2 and 9.']);
  expect(whole).toMatchObject({ tasks: 5, a_only: [], b_only: [] });
});
