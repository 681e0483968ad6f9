import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { diffLines } from 'diff';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { buildDataset, setNames } from '../../dataset/build/build.ts';
import { bundledNames } from '../../dataset/bundled.ts';
import { loadDataset } from '../../dataset/load.ts';
import { bugTypes, type Task } from '../../lib/core/task.ts';
import { packageFile } from '../../lib/files/package.ts';
import { needs } from '../support/needs.ts';
import { sharedData, sharedFile } from '../support/shared-data.ts';

const sets = Object.fromEntries(
  await Promise.all(bundledNames.map(async name => [name, (await loadDataset(name)).tasks] as const)),
);
const mini = sets.mini ?? [];
const bogus = sets.bogus ?? [];
const miniJs = sets['mini-js'] ?? [];
/** The sets of the compiled languages. */
const compiled = ['mini-cpp', 'mini-go', 'mini-java', 'mini-rust'].map(name => sets[name] ?? []);
const repairable = [...mini, ...miniJs, ...compiled.flat()];

describe.each(setNames)('%s', name => {
  test('the file matches its sources', () => {
    const committed = readFileSync(packageFile(`dataset/${name}.parquet`));
    expect(committed.equals(buildDataset(name))).toBe(true);
  });

  test('ids count from 0 in the order of the file', () => {
    expect(sets[name]?.map(task => task.id)).toEqual(sets[name]?.map((_, index) => `${name}/${index}`));
  });

  test('entry points are different', () => {
    expect(new Set(sets[name]?.map(task => task.entryPoint)).size).toBe(sets[name]?.length);
  });

  const original = name.startsWith('mini-') ? name.slice('mini-'.length) : 'python';
  const real = sharedData(`humanevalpack/${original}.even.jsonl.gz`);
  test('the columns are those of HumanEvalPack, in their order', needs(sharedFile(real)), async () => {
    const line =
      gunzipSync(readFileSync(real ?? ''))
        .toString()
        .split('\n')[0] ?? '';
    const file = new Uint8Array(readFileSync(packageFile(`dataset/${name}.parquet`))).buffer;
    const [row] = await parquetReadObjects({ file });
    expect(Object.keys(row ?? {})).toEqual(Object.keys(JSON.parse(line)));
  });
});

describe('the sets’ guarantees', () => {
  test('sizes', () => {
    expect(mini.length).toBeGreaterThanOrEqual(60);
    expect(bogus.length).toBeGreaterThanOrEqual(20);
    expect(miniJs.length).toBeGreaterThanOrEqual(20);
    for (const tasks of compiled) expect(tasks.length).toBeGreaterThanOrEqual(20);
  });

  test('mini has the bug types of HumanEvalPack in its proportions', () => {
    const original = { missing: 33, excess: 31, value: 44, operator: 25, variable: 23, function: 8 };
    for (const [kind, count] of Object.entries(original)) {
      const ours = mini.filter(task => task.bugType?.startsWith(kind)).length;
      expect(Math.abs(ours - (count / 164) * mini.length)).toBeLessThan(1);
    }
  });

  test('every bug type occurs in mini-js and in the sets of the compiled languages', () => {
    for (const tasks of [miniJs, ...compiled])
      expect(new Set(tasks.map(task => task.bugType))).toEqual(new Set(bugTypes));
  });

  test('the first five tasks of mini have one bug type each', () => {
    expect(new Set(mini.slice(0, 5).map(task => task.bugType)).size).toBe(5);
  });
});

describe('every task of mini and its counterparts has', () => {
  test('five asserts or more, or calls in a list of comparisons', () => {
    expect(
      idsWhere(task => (task.tests.match(/\bassert(?:_eq)?(?:\b|!)|\bs\.\w+\(/g) ?? []).length < 5),
    ).toEqual([]);
  });

  test('a docstring with examples, which are also tests', () => {
    const calls = (task: Task) => [...task.docstring.matchAll(/^>>> (.*)$/gm)].map(match => match[1] ?? '');
    expect(idsWhere(task => calls(task).length === 0)).toEqual([]);
    expect(idsWhere(task => calls(task).some(call => !task.exampleTests.includes(call)))).toEqual([]);
  });

  test('a bug that is a small edit of the body', () => {
    const editedLines = ({ canonical, buggy }: Task) =>
      diffLines(canonical, buggy)
        .filter(part => part.added || part.removed)
        .reduce((sum, part) => sum + part.count, 0);
    expect(idsWhere(task => !task.buggy.startsWith(task.declaration))).toEqual([]);
    expect(idsWhere(task => editedLines(task) < 1 || editedLines(task) > 2)).toEqual([]);
  });

  test('no comments that mark the bug', () => {
    expect(idsWhere(task => /(#|\/\/) bug/.test(task.canonical + task.buggy))).toEqual([]);
  });
});

const contamination = sharedData('contamination.json.gz');
test('no entry point has the name of a benchmark task', needs(sharedFile(contamination)), () => {
  const { names } = JSON.parse(gunzipSync(readFileSync(contamination ?? '')).toString()) as {
    names: string[];
  };
  const plain = (name: string) => name.replaceAll('_', '').toLowerCase();
  const held = new Set(names.map(plain));
  const all: Task[] = [...repairable, ...bogus];
  expect(all.map(task => task.entryPoint).filter(name => held.has(plain(name)))).toEqual([]);
});

function idsWhere(isAtFault: (task: Task) => boolean): string[] {
  return repairable.filter(isAtFault).map(task => task.id);
}
