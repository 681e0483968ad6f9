import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type RunRecord, recordFormat } from '../../../lib/core/record.ts';
import { parseReportOptions } from '../../../lib/options/tables/command-options.ts';
import { parseRunOptions } from '../../../lib/options/tables/run-options.ts';
import { manifestPath } from '../../../lib/report/results/manifest.ts';
import { openRecordFile } from '../../../lib/report/results/record-file.ts';
import { report } from '../../../lib/run/library/report.ts';
import { runParts } from '../../../lib/run/library/run-parts.ts';
import { run } from '../../../lib/run/run.ts';
import { manifestWith } from '../../report/manifest.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { context, partsFor, recordWith, tasks } from '../fakes.ts';

let path: string;
let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, 'r.jsonl');
  await writeFile(manifestPath(path), JSON.stringify(manifestWith()));
});

const records = ['a', 'b', 'c'].map((task_id, index) => recordWith({ task_id, index }));
const write = (lines: readonly (RunRecord | object)[]) =>
  writeFile(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
const reportTo = (out: string) => report(path, parseReportOptions({ out: join(folder, out) }));

describe('a report', () => {
  test('is a PNG, an SVG or a self-contained page', async () => {
    await write(records);
    const { report: png } = await reportTo('pictures/r.png');
    expect((await readFile(png)).subarray(0, 4)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
    const { report: svg } = await reportTo('r.svg');
    expect(await readFile(svg, 'utf8')).toMatch(/^<svg [^>]*>\n<title>a-model on a-set<\/title>/);
    const page = await report(path, parseReportOptions({}));
    expect(page).toMatchObject({ report: join(folder, 'r.report.html'), count: 3, warnings: [] });
    const html = await readFile(page.report, 'utf8');
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain('<title>a-model on a-set</title>');
    expect(html).not.toMatch(/(src|href|srcset)="(https?:)?\/\/|@import/);
  });

  test('is written next to the records if requested', async () => {
    const out = join(folder, 'drawn.jsonl');
    const options = parseRunOptions({ out, visualize: true, iters: 1 });
    const parts = partsFor(tasks(2), { reports: runParts().reports });
    const { reports } = await run(options, parts, context());
    expect(reports).toEqual([join(folder, 'drawn.report.html'), join(folder, 'drawn.report.png')]);
    for (const drawn of reports ?? []) expect((await stat(drawn)).size).toBeGreaterThan(10_000);
    const silent = { ...options, visualize: false, out: join(folder, 'silent.jsonl') };
    expect(await run(silent, parts, context())).not.toHaveProperty('reports');
  });

  test('a report of a file with a torn last line covers the other records', async () => {
    await write(records);
    await appendFile(path, JSON.stringify(records[0]).slice(0, 40));
    expect(await reportTo('r.svg')).toMatchObject({ count: 3, warnings: [] });
  });

  test('a report of a run in progress says so', async () => {
    const file = await openRecordFile(path, { resume: false });
    try {
      await file.append(recordWith({}));
      const { count, warnings, report: svg } = await reportTo('r.svg');
      expect([count, warnings]).toEqual([1, [expect.stringContaining('run in progress')]]);
      expect(await readFile(svg, 'utf8')).toContain('1 task');
    } finally {
      await file.close();
    }
  });

  test('a report of runs that all failed has no empty charts', async () => {
    const error = { code: 'SANDBOX_FAILED', message: 'Gone.' };
    await write([recordWith({ passed: null, verdict: null, error })]);
    await reportTo('r.svg');
    const svg = await readFile(join(folder, 'r.svg'), 'utf8');
    expect(svg).toContain('pass@1 –, nothing was judged');
    expect(Number(/height="(\d+)"/.exec(svg)?.[1])).toBeLessThan(400);
  });
});

describe('a file that cannot be reported is explained in one sentence', () => {
  const newer = { ...recordWith({ task_id: 'z' }), format: recordFormat + 1 };
  test.each<[string, readonly object[], string]>([
    ['empty', [], 'RECORDS_EMPTY'],
    ['of a newer format', [newer], 'RECORDS_OF_OTHER_FORMAT'],
    ['of mixed formats', [...records, newer], 'RECORDS_OF_OTHER_FORMAT'],
    ['of something else', [{ name: 'x' }], 'RECORD_INVALID'],
  ])('%s', async (_, lines, code) => {
    await write(lines);
    await expect(reportTo('r.png')).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^[^\n]+\.$/),
    });
  });

  test('a missing file', async () => {
    await expect(report(join(folder, 'no.jsonl'), parseReportOptions({}))).rejects.toMatchObject({
      code: 'RECORDS_NOT_READABLE',
    });
  });

  test('a file of an unknown format is refused', () => {
    expect(() => parseReportOptions({ out: 'r.pdf' })).toThrow('expected a .png, .svg or .html file');
    expect(() => parseReportOptions({ theme: 'grey' })).toThrow('expected one of light, dark');
  });
});
