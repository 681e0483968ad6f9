import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parseRerunOptions, rerun, rerunText } from '../../lib/cli/rerun/command.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { type RunParts, run } from '../../lib/run/run.ts';
import { context, partsFor, tasks } from '../run/fakes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let out: string;
let manifest: string;
beforeEach(async () => {
  out = join(await temporaryFolder(), 'r.jsonl');
  ({ manifest } = await run(
    parseRunOptions({ out, iters: 1, temperature: 0.4, seed: 3 }),
    partsFor(tasks(3)),
    context(),
  ));
});

const again = async (parts: RunParts) =>
  await rerun(manifest, await parseRerunOptions(manifest, {}), parts, context());

test('repeats a run with its options, and finds no differences', async () => {
  const result = await again(partsFor(tasks(3)));
  expect(result.records).toBe(out.replace('.jsonl', '.rerun.jsonl'));
  expect(result.differs).toEqual({
    manifest: [],
    records: { same: 3, different: [], only_before: [], only_now: [] },
  });
  const expected = { iters: 1, temperature: 0.4, seed: 3, out: result.records };
  expect(await parseRerunOptions(manifest, {})).toMatchObject(expected);
  // A path to records means the manifest next to them.
  expect(await parseRerunOptions(out, {})).toMatchObject(expected);
});

test('lists differences in settings and in records', async () => {
  const createModel = async () =>
    createScriptedModel({
      completions: tasks(3).flatMap(({ id, buggy, canonical }) =>
        id === 'set/1' ? [buggy, canonical] : [canonical],
      ),
      name: 'other',
    });
  const result = await again(partsFor(tasks(4).slice(0, 3), { createModel, versions: { hefix: '0.0.1' } }));
  expect(result.differs.manifest).toEqual([
    { what: 'model', a: expect.stringMatching(/^script \(/), b: expect.stringMatching(/^other \(/) },
    { what: 'version of hefix', a: '0.0.0', b: '0.0.1' },
  ]);
  expect(result.differs.records).toMatchObject({ same: 2, different: [{ task: 'set/1' }] });
  expect(result.differs.records?.different[0]?.fields).toEqual(['iters', 'token_usage', 'path', 'attempts']);
  expect(rerunText(result)).toContain(
    'version of hefix: 0.0.0 before, 0.0.1 now\n2 records are the same\nset/1 differs in iters',
  );
});

test('damaged records are reported before anything is run', async () => {
  const lines = (await readFile(out, 'utf8')).split('\n');
  await writeFile(out, [lines[0], 'not a record', ...lines.slice(2)].join('\n'));
  const createModel = () => Promise.reject(new Error('a model was opened'));
  await expect(again(partsFor(tasks(3), { createModel }))).rejects.toMatchObject({
    code: 'RECORD_INVALID',
    message: expect.stringContaining('line 2'),
  });
});

test('works without the original records', async () => {
  await rm(out);
  const result = await again(partsFor(tasks(3)));
  expect(result.differs.records).toBeNull();
  expect(rerunText(result)).toContain('the former records are gone');
});

test('refuses a file that is not a manifest', async () => {
  await expect(parseRerunOptions(`${out}.csv`, {})).rejects.toMatchObject({ code: 'MANIFEST_UNUSABLE' });
  await expect(parseRerunOptions(`${out}.manifest.json`, {})).rejects.toMatchObject({
    code: 'MANIFEST_UNUSABLE',
  });
});
