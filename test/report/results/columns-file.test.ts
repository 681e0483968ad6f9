import { appendFile, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { RunRecord } from '../../../lib/core/record.ts';
import type { RecordFacts } from '../../../lib/core/record-facts.ts';
import { createFactReader, readAll, readFacts } from '../../../lib/report/results/fact-reader.ts';
import { summarise } from '../../../lib/report/summary.ts';
import { sweepRows } from '../../../lib/report/sweep.ts';
import { recordWith } from '../../run/fakes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { lineOf, recordsOf, writeRun } from '../viewer/runs.ts';

/** Files of this size get columns. */
const padding = 'x'.repeat(2 ** 20);
const search = {
  candidates: 900,
  tried: 31,
  rank: 4,
  ranked: true,
  tried_on: 'docstring',
} as const;
const records: readonly RunRecord[] = [
  ...recordsOf(8, 2).map(record => ({ ...record, stdout: padding })),
  recordWith({ task_id: 'words/0', sample: 9, passed: null, error: { code: 'GONE', message: 'It is.' } }),
  recordWith({ task_id: 'words/1', sample: 9, search, template: 'api', prompt: 'humanevalfixtests' }),
  recordWith({
    task_id: 'words/2',
    sample: 9,
    feedback: 'examples',
    cached: { replies: 2, prompt: 7, completion: 5 },
    attempts: (recordsOf(1, 1)[0]?.attempts ?? []).map(attempt => ({
      ...attempt,
      seconds: { ...attempt.seconds, prescreen: 0.01 },
      diagnosis: {
        temperature: 0,
        prompt: [],
        completion: 'It returns.',
        tokens: { prompt: 3, completion: 4 },
        seconds: 1.5,
      },
    })),
  }),
];

let path: string;
beforeEach(async () => {
  path = join(await temporaryFolder(), 'r.jsonl');
  await writeRun(path, records);
});

function figuresOf(from: readonly RecordFacts[]): unknown {
  const rows = sweepRows({ settings: {}, records: from, iterations: [0, 1, 3] });
  return [summarise(from, 3, { timeout: 1, prices: { prompt: 2, completion: 3 } }), rows];
}

/** How many bytes were read from columns, and the tasks. */
async function reading(): Promise<{ compacted: number; tasks: number }> {
  const reader = createFactReader(path);
  await readAll(reader);
  return { compacted: reader.compacted(), tasks: reader.table().current().length };
}

test('figures from the columns equal those from the records', async () => {
  const first = await readFacts(path);
  expect(figuresOf(first.records)).toEqual(figuresOf(records));
  expect((await reading()).compacted).toBe((await readFile(path)).length);
  expect(figuresOf((await readFacts(path)).records)).toEqual(figuresOf(records));
});

test('records that were added later are read after the columns, and replace those that ended in an error', async () => {
  await readFacts(path);
  const size = (await readFile(path)).length;
  await appendFile(path, lineOf(recordWith({ task_id: 'words/0', sample: 9, passed: true })));
  await appendFile(path, lineOf(recordWith({ task_id: 'words/99' })));
  expect(await reading()).toEqual({ compacted: size, tasks: records.length + 1 });
  await appendFile(path, lineOf(recordWith({ task_id: 'words/99' })));
  await expect(readFacts(path)).rejects.toMatchObject({
    code: 'RECORD_REPEATED',
    message: expect.stringContaining(`line ${records.length + 3}`),
  });
});

test('columns of another file are not used', async () => {
  await readFacts(path);
  await writeFile(path, records.slice(1).map(lineOf).join(''));
  expect(await reading()).toEqual({ compacted: 0, tasks: records.length - 1 });
  await writeRun(path, records);
  await utimes(path, new Date(), new Date(Date.now() + 5000));
  expect((await reading()).compacted).toBe(0);
});

test.each(['records.parquet', 'attempts.parquet'])(
  'the records are read if %s is damaged or missing',
  async name => {
    await readFacts(path);
    const file = join(path.replace('.jsonl', '.columns'), name);
    const bytes = await readFile(file);
    bytes.fill(0xff, 4, 600);
    await writeFile(file, bytes);
    expect(await reading()).toEqual({ compacted: 0, tasks: records.length });
    await rm(file);
    expect(await reading()).toEqual({ compacted: 0, tasks: records.length });
  },
);
