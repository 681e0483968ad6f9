import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordFormat } from '../../../lib/core/record.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { readResults } from '../../../lib/report/results/read-results.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = packageFile(`fixtures/results/format-${recordFormat}`);

test('a recorded run is read unchanged', async () => {
  for (const [name, solved] of [
    ['edits', [true, false]],
    ['search', [true, true]],
  ] as const) {
    const path = join(folder, `${name}.jsonl`);
    const { records, manifest } = await readResults(path);
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(records).toEqual(lines.map(line => JSON.parse(line)));
    expect(manifest).toEqual(JSON.parse(await readFile(join(folder, `${name}.manifest.json`), 'utf8')));
    expect(records.map(({ passed }) => passed)).toEqual(solved);
  }
});

test('unknown fields and options are ignored, and options that are not there get their defaults', async () => {
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
  expect(read.records).toHaveLength(2);
  expect(read.manifest.options.timeout).toBe(10);
});

test('another format is refused with what to do', async () => {
  const own = await temporaryFolder();
  await cp(folder, own, { recursive: true });
  const path = join(own, 'edits.jsonl');
  const text = await readFile(path, 'utf8');
  for (const format of [recordFormat - 1, recordFormat + 1]) {
    await writeFile(path, text.replaceAll(`"format":${recordFormat}`, `"format":${format}`));
    await expect(readResults(path)).rejects.toMatchObject({
      code: 'RECORDS_OF_OTHER_FORMAT',
      message: `${path} has format ${format}, and this version of hefix reads ${recordFormat}.`,
    });
  }
});
