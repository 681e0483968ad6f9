import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../lib/cli/compare/command.ts';
import { recordFormat } from '../../lib/core/record.ts';
import { packageFile } from '../../lib/files/package-root.ts';
import { summarise } from '../../lib/report/summary.ts';
import { currentRecord } from '../../lib/results/older-formats.ts';
import { readResults } from '../../lib/results/read-results.ts';
import { createRecordIndex } from '../../lib/viewer/record-index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = packageFile('fixtures/results/format-1');

describe('runs of format 1', () => {
  test('are read with today’s names', async () => {
    const { records, manifest } = await readResults(join(folder, 'edits.jsonl'));
    expect(records.map(({ format }) => format)).toEqual([recordFormat, recordFormat, recordFormat]);
    expect(records.flatMap(({ attempts }) => attempts.map(({ verdict }) => verdict?.kind))).toEqual([
      'edit-not-applicable',
      'not-serializable',
      'passed',
      'edit-not-applicable',
      'not-serializable',
      'no-code',
    ]);
    expect(records.map(({ path }) => path.at(-1))).toEqual(['solved', 'unsolved', 'error']);
    expect(records.map(({ passed }) => passed)).toEqual([true, false, null]);
    expect(manifest.options).toMatchObject({ agent: 'reflect', iters: 2, answer: 'edit', candidates: 1 });
  });

  test('can be summarised, compared and shown', async () => {
    const path = join(folder, 'search.jsonl');
    const { records } = await readResults(path);
    expect(records.map(({ path: states }) => states)).toEqual([
      ['enumerate', 'choose', 'prescreen', 'examine', 'execute', 'score', 'solved'],
      ['enumerate', 'choose', 'prescreen', 'examine', 'execute', 'score', 'solved'],
    ]);
    expect(summarise(records, 0)).toMatchObject({ runs: 2, solved: 2 });
    expect(await compareRuns(path, join(folder, 'edits.jsonl'))).toMatchObject({
      agents: { a: 'search', b: 'reflect' },
    });
    const { rows } = await createRecordIndex(join(folder, 'edits.jsonl')).rows(0, 0);
    expect(rows.map(({ verdict }) => verdict)).toEqual(['passed', 'no-code', null]);
  });
});

test('runs of format 2 are read with today’s field names', async () => {
  const older = packageFile('fixtures/results/format-2');
  const edits = await readResults(join(older, 'edits.jsonl'));
  const ranks = edits.records.map(({ attempts }) => attempts.map(({ selection }) => selection?.origin.rank));
  expect(ranks).toEqual([[2], [3, 2]]);
  expect(edits.manifest.host.cores).toBe(2);
  const search = await readResults(join(older, 'search.jsonl'));
  expect(search.records.map(record => record.search?.rank)).toEqual([56, 17]);
  const attempt = { selection: { origin: {}, checks: [{ source: 'told' }, { source: 'docstring' }] } };
  expect(currentRecord({ format: 2, attempts: [attempt] })).toMatchObject({
    attempts: [{ selection: { checks: [{ source: 'revealed' }, { source: 'docstring' }] } }],
  });
});

test('a run of the current format is read unchanged', async () => {
  const newest = packageFile(`fixtures/results/format-${recordFormat}`);
  for (const [name, solved] of [
    ['edits', [true, false]],
    ['search', [true, true]],
  ] as const) {
    const path = join(newest, `${name}.jsonl`);
    const { records, manifest } = await readResults(path);
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(records).toEqual(lines.map(line => JSON.parse(line)));
    expect(manifest).toEqual(JSON.parse(await readFile(join(newest, `${name}.manifest.json`), 'utf8')));
    expect(records.map(({ passed }) => passed)).toEqual(solved);
  }
});

test('unknown fields and options are ignored, and newer options get their defaults', async () => {
  const own = await temporaryFolder();
  await cp(folder, own, { recursive: true });
  const [records, manifest] = [join(own, 'edits.jsonl'), join(own, 'edits.manifest.json')];
  const lines = (await readFile(records, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  await writeFile(records, lines.map(line => `${JSON.stringify({ ...line, later: 1 })}\n`).join(''));
  const { options, ...rest } = JSON.parse(await readFile(manifest, 'utf8'));
  const { timeout: _, ...fewer } = options;
  await writeFile(manifest, JSON.stringify({ ...rest, later: 1, options: { ...fewer, gone: true } }));
  const read = await readResults(records);
  expect(read.records).toHaveLength(3);
  expect(read.manifest.options.timeout).toBe(10);
});

test('tokens of a diagnosis are counted under its state, reflect', () => {
  const tokens = { prompt: 3, completion: 1 };
  const record = { format: 3, token_usage: { ...tokens, nodes: { propose: tokens, diagnose: tokens } } };
  expect(currentRecord(record)).toEqual({
    format: 3,
    token_usage: { ...tokens, nodes: { propose: tokens, reflect: tokens } },
  });
});
