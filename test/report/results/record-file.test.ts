import { appendFile, mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RunRecord, recordFormat } from '../../../lib/core/record.ts';
import { openRecordFile } from '../../../lib/report/results/record-file.ts';
import { recordWith } from '../../run/fakes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function fileWith(...records: RunRecord[]): Promise<string> {
  const path = join(await temporaryFolder(), 'r.jsonl');
  const file = await openRecordFile(path, { resume: false });
  for (const record of records) await file.append(record);
  await file.close();
  return path;
}

async function idsHeld(path: string): Promise<string[]> {
  const file = await openRecordFile(path, { resume: true });
  await file.close();
  return file.held.map(record => record.task_id);
}

const [first, second] = [recordWith({ task_id: 'a/1', stdout: 'π\n' }), recordWith({ task_id: 'a/2' })];

test('a record is on disk as soon as it was appended', async () => {
  const path = join(await temporaryFolder(), 'new', 'folder', 'r.jsonl');
  const file = await openRecordFile(path, { resume: false });
  await file.append(first);
  expect(await readFile(path, 'utf8')).toBe(`${JSON.stringify(first)}\n`);
  await file.close();
});

test('a new file with the name of a JSON document is refused, an existing one is resumed', async () => {
  const lines = await fileWith(first);
  const path = lines.replace('.jsonl', '.json');
  await expect(openRecordFile(path, { resume: false })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining('expected a .jsonl file: each record is appended as its task ends'),
  });
  await writeFile(path, await readFile(lines));
  expect(await idsHeld(path)).toEqual(['a/1']);
});

test('a kill at any byte of the last line keeps complete lines, and the run continues', async () => {
  const path = await fileWith(first, second);
  const whole = await readFile(path);
  const secondStart = whole.indexOf(0x0a) + 1;
  for (let length = secondStart; length <= whole.length; length += 7) {
    await writeFile(path, whole.subarray(0, length));
    expect(await idsHeld(path)).toEqual(length < whole.length - 1 ? ['a/1'] : ['a/1', 'a/2']);
    const file = await openRecordFile(path, { resume: true });
    await file.append(recordWith({ task_id: 'a/3' }));
    await file.close();
    expect((await idsHeld(path)).at(-1)).toBe('a/3');
  }
});

test('a last record without its line end is kept', async () => {
  const path = await fileWith(first, second);
  const whole = await readFile(path);
  await truncate(path, whole.length - 1);
  expect(await idsHeld(path)).toEqual(['a/1', 'a/2']);
  expect(await readFile(path)).toEqual(whole);
});

test('a file without records is refused and left unchanged', async () => {
  const path = await fileWith(first);
  await appendFile(path, '{"task_id": "a/2"}\n');
  const before = await readFile(path);
  await expect(openRecordFile(path, { resume: true })).rejects.toMatchObject({
    code: 'RECORD_INVALID',
    message: expect.stringContaining('line 2'),
  });
  await writeFile(path, 'no JSON\n');
  await expect(openRecordFile(path, { resume: true })).rejects.toMatchObject({ code: 'RECORD_INVALID' });
  await writeFile(path, before);
});

test('a newer format is reported', async () => {
  const path = await fileWith(first);
  await writeFile(path, `${JSON.stringify({ ...first, format: recordFormat + 1, more: 1 })}\n`);
  await expect(openRecordFile(path, { resume: true })).rejects.toMatchObject({
    code: 'RECORDS_OF_OTHER_FORMAT',
  });
});

test('records are not overwritten without --resume', async () => {
  const path = await fileWith(first);
  await expect(openRecordFile(path, { resume: false })).rejects.toMatchObject({ code: 'OUT_EXISTS' });
  expect(await idsHeld(path)).toEqual(['a/1']);
});

test('an unwritable path is one sentence', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await mkdir(join(folder, 'folder.jsonl'));
  const paths = ['file/r.jsonl', 'file/deeper/r.jsonl', 'folder.jsonl'].map(path => join(folder, path));
  for (const path of [...paths, '/proc/none/deeper/r.jsonl']) {
    await expect(openRecordFile(path, { resume: false })).rejects.toMatchObject({
      code: 'OUT_NOT_WRITABLE',
      message: expect.stringMatching(/cannot be written: [a-z ]+\.$/),
    });
  }
});

test('one run at a time', async () => {
  const path = join(await temporaryFolder(), 'r.jsonl');
  const file = await openRecordFile(path, { resume: false });
  await expect(openRecordFile(path, { resume: true })).rejects.toMatchObject({
    code: 'OUT_LOCKED',
    message: expect.stringContaining(`process ${process.pid}`),
  });
  await file.close();
  await (await openRecordFile(path, { resume: true })).close();
});

test.each([
  ['of a dead process', JSON.stringify({ pid: 2 ** 22 - 1, host: hostname(), started: 0 })],
  [
    'of an earlier process with our number',
    JSON.stringify({ pid: process.pid, host: hostname(), started: 0 }),
  ],
])('a lock %s is taken over', async (_, content) => {
  const path = join(await temporaryFolder(), 'r.jsonl');
  await writeFile(`${path}.lock`, content);
  await (await openRecordFile(path, { resume: false })).close();
});

test('a lock of another host is respected', async () => {
  const path = join(await temporaryFolder(), 'r.jsonl');
  await writeFile(`${path}.lock`, JSON.stringify({ pid: 1, host: 'elsewhere', started: 0 }));
  await expect(openRecordFile(path, { resume: false })).rejects.toMatchObject({
    code: 'OUT_LOCKED',
    hint: expect.stringContaining('.lock'),
  });
});
