import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { writeFileAtomic } from '../../../lib/files/write-file-atomic.ts';
import { csvLines, exportTable, parquetBytes } from '../../../lib/report/results/export-table.ts';
import { readFacts } from '../../../lib/report/results/fact-reader.ts';
import { attemptWith, recordWith } from '../../run/fakes.ts';
import { type Need, needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeRun } from '../viewer/runs.ts';

/** A run with test feedback, and one of another model and agent that ended in an error. */
async function table() {
  const folder = await temporaryFolder();
  const [a, b] = [join(folder, 'a.jsonl'), join(folder, 'b.jsonl')];
  const attempts = [attemptWith(), attemptWith({ iteration: 1, verdict: { kind: 'passed', message: '' } })];
  await writeRun(a, [
    recordWith({ task_id: 'a,"b"', attempts: attempts.slice(1) }),
    recordWith({ task_id: 'set/1', iters: 1, attempts }),
  ]);
  const error = { code: 'GONE', message: 'It is.' };
  await writeRun(b, [recordWith({ passed: null, verdict: null, error })], { model: 'large', agent: 'react' });
  return { folder, a, b, table: exportTable([await readFacts(a), await readFacts(b)]) };
}

test('records of two runs are rows of one CSV file', async () => {
  const { a, b, table: exported } = await table();
  const [header = '', ...rows] = [...csvLines(exported)].map(line => line.trimEnd());
  const named = header.split(',').slice(0, 13);
  expect(named.join(' ')).toBe(
    'file model dataset agent temperature first_candidate_passed task_id index sample entry_point bug_type passed judge',
  );
  expect(rows.map(row => row.split(',0,0,f,,')[0])).toEqual([
    `${a},small,words,reflect,0,true,"a,""b"""`,
    `${a},small,words,reflect,0,false,set/1`,
    `${b},large,words,react,0,,set/0`,
  ]);
  expect(rows[2]).toContain(',GONE,');
});

test('a Parquet file has the same rows, with types', async () => {
  const { folder, table: exported } = await table();
  const path = join(folder, 'all.parquet');
  await writeFileAtomic(path, await parquetBytes(exported));
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
  expect(rows).toHaveLength(3);
  expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(exported.columns));
  expect(rows[0]).toMatchObject({
    task_id: 'a,"b"',
    passed: true,
    first_candidate_passed: true,
    bug_type: null,
  });
  expect(rows[1]).toMatchObject({ temperature: 0, iters: 1, attempts: 2, runtime_sec: 2 });
  expect(rows[2]).toMatchObject({ model: 'large', agent: 'react', passed: null, error: 'GONE' });
});

/** The lines of docs/evaluate.md that read an exported table. */
async function documented(): Promise<{ readonly pandas: string; readonly sql: string }> {
  const text = await readFile('docs/evaluate.md', 'utf8');
  const block = (language: string) =>
    new RegExp(`^\`\`\`${language}\\n([^\`]+)\`\`\``, 'm').exec(text)?.[1]?.trim() ?? '';
  return { pandas: block('python'), sql: block('sql') };
}

test('the documented lines for pandas and DuckDB name columns of the table', async () => {
  const { table: exported } = await table();
  const { pandas, sql } = await documented();
  const inPandas = [...pandas.matchAll(/"([\w.]+)"/g)].map(([, name]) => name);
  const inSql = [...sql.matchAll(/(?:select|,|avg\() ?(\w+)(?=[,):])/g)].map(([, name]) => name);
  expect(inPandas.filter(name => name !== 'runs.parquet')).toEqual(
    expect.arrayContaining(['model', 'passed', 'first_candidate_passed']),
  );
  expect(inSql).toEqual(['model', 'agent', 'passed', 'completion_tokens']);
  for (const name of [...inPandas, ...inSql]) {
    if (name !== 'runs.parquet') expect(Object.keys(exported.columns)).toContain(name);
  }
});

const PYTHON = process.env.HEFIX_TEST_PYTHON ?? 'python3';
const pandasAndDuckdb: Need = {
  what: 'pandas, pyarrow and duckdb (pip install; HEFIX_TEST_PYTHON names their Python)',
  isThere: execaSync(PYTHON, ['-c', 'import pandas, pyarrow, duckdb'], { reject: false }).exitCode === 0,
};

test('the documented lines for pandas and DuckDB give shares and means', needs(pandasAndDuckdb), async () => {
  const { folder, table: exported } = await table();
  await writeFileAtomic(join(folder, 'runs.parquet'), await parquetBytes(exported));
  const { pandas, sql } = await documented();
  const [lines, means = ''] = [pandas.split('\n').slice(0, -1), pandas.split('\n').at(-1)];
  const program = [
    'import duckdb, json',
    ...lines,
    `means = ${means}`,
    `rows = duckdb.sql("""${sql.replace(/;$/, '')}""").fetchall()`,
    'print(json.dumps([means["first_candidate_passed"].to_dict()[("small", "reflect", 0.0)], sorted(rows)]))',
  ].join('\n');
  const { stdout } = await execa(PYTHON, ['-c', program], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([
    0.5,
    [
      ['large', 'react', null, expect.any(Number)],
      ['small', 'reflect', 1, expect.any(Number)],
    ],
  ]);
});
