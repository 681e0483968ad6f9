import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordIndex } from '../../../lib/report/viewer/record-index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { lineOf, recordOf, recordsOf } from './runs.ts';

async function fileWith(content: string): Promise<string> {
  const path = join(await temporaryFolder(), 'a.jsonl');
  await writeFile(path, content);
  return path;
}

const idsOf = ({ rows }: { rows: readonly { task_id: string }[] }) => rows.map(({ task_id }) => task_id);

test('continues where it stopped, and reads single records in full', async () => {
  const path = await fileWith(recordsOf(2, 1).map(lineOf).join(''));
  const index = createRecordIndex(path);
  const first = await index.rows(0, 0);
  expect(idsOf(first)).toEqual(['words/0', 'words/1']);
  await appendFile(path, lineOf(recordOf(2, 0)));
  expect(idsOf(await index.rows(first.generation, 2))).toEqual(['words/2']);
  expect(await index.record(2)).toEqual(recordOf(2, 0));
  expect(await index.record(3)).toBeNull();
});

test('ignores a torn last line, but not one that only lacks its line end', async () => {
  const [whole, torn] = [lineOf(recordOf(0, 0)), lineOf(recordOf(1, 0))];
  const path = await fileWith(whole + torn.slice(0, 200));
  const index = createRecordIndex(path);
  expect(await index.rows(0, 0)).toMatchObject({ more: false, problem: null, rows: [{ line: 0 }] });
  await appendFile(path, torn.slice(200).trimEnd());
  expect(idsOf(await index.rows(0, 0))).toEqual(['words/0', 'words/1']);
  await appendFile(path, `\n${lineOf(recordOf(2, 0))}`);
  expect(idsOf(await index.rows(0, 0))).toEqual(['words/0', 'words/1', 'words/2']);
  expect(await index.record(1)).toEqual(recordOf(1, 0));
});

test('reads a replaced file again', async () => {
  const path = await fileWith(recordsOf(3, 1).map(lineOf).join(''));
  const index = createRecordIndex(path);
  const first = await index.rows(0, 0);
  await rm(path);
  expect((await index.rows(first.generation, 3)).rows).toEqual([]);
  await writeFile(path, lineOf(recordOf(7, 0)));
  const again = await index.rows(first.generation, 3);
  expect(again.generation).not.toBe(first.generation);
  expect(idsOf(again)).toEqual(['words/7']);
});

test('reads a large file in chunks', async () => {
  const record = { ...recordOf(0, 0), stdout: 'x'.repeat(3 * 2 ** 20) };
  const lines = Array.from({ length: 7 }, (_, sample) => lineOf({ ...record, sample }));
  const index = createRecordIndex(await fileWith(lines.join('')));
  let [known, pieces] = [0, 0];
  for (let more = true; more; pieces++) {
    const got = await index.rows(1, known);
    known += got.rows.length;
    more = got.more;
  }
  expect(known).toBe(7);
  expect(pieces).toBeGreaterThan(1);
});

test('reads a line longer than a chunk', async () => {
  const record = { ...recordOf(0, 0), stdout: 'x'.repeat(20 * 2 ** 20) };
  const index = createRecordIndex(await fileWith(lineOf(record) + lineOf(recordOf(1, 0))));
  expect(idsOf(await index.rows(0, 0))).toContain('words/0');
});

test.each([
  ['is not JSON', 'nonsense\n', /line 2, is not a record of a run: it is not JSON/],
  ['has another shape', '{"format":3,"task_id":3}\n', /line 2, is not a record of a run: task_id/],
  ['has a newer format', '{"format":99}\n', /has format 99/],
])('reports a line that %s, and shows the ones before it', async (_, line, sentence) => {
  const index = createRecordIndex(await fileWith(lineOf(recordOf(0, 0)) + line + lineOf(recordOf(1, 0))));
  const { rows, problem, more } = await index.rows(0, 0);
  expect([rows.length, more]).toEqual([1, false]);
  expect(problem).toMatch(sentence);
});

test('search finds escaped text, and continues over many records', async () => {
  const path = await fileWith(recordsOf(60, 1).map(lineOf).join(''));
  const index = createRecordIndex(path);
  expect((await index.search('The function has a bug.\n\nGives', 0)).hits[0]).toMatchObject({ line: 0 });
  expect((await index.search('no such text', 0)).hits).toEqual([]);
  const first = await index.search('longest', 0);
  expect(first.hits.length).toBeLessThan(60);
  const rest = await index.search('longest', first.next ?? 0);
  expect(rest.next).toBeNull();
  expect([...first.hits, ...rest.hits].map(({ line }) => line)).toEqual(
    Array.from({ length: 60 }, (_, i) => i),
  );
});
