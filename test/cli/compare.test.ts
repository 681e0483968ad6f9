import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRuns } from '../../lib/cli/compare/command.ts';
import { parseReportOptions } from '../../lib/options/tables/command-options.ts';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { runRows, runsPage } from '../../lib/report/pages/runs-page.ts';
import { readResults } from '../../lib/report/results/read-results.ts';
import { reportRuns } from '../../lib/run/library/report.ts';
import { run } from '../../lib/run/run.ts';
import { context, partsFor, tasks } from '../run/fakes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function ran(folder: string, name: string, options = {}): Promise<string> {
  const out = join(folder, `${name}.jsonl`);
  await run(parseRunOptions({ out, iters: 0, ...options }), partsFor(tasks(2)), context());
  return out;
}

test('detects a file compared with itself under any path', async () => {
  const folder = await temporaryFolder();
  const a = await ran(folder, 'a');
  const b = await ran(folder, 'b');
  const link = join(folder, 'link.jsonl');
  await symlink(a, link);
  await symlink(a.replace('.jsonl', '.manifest.json'), link.replace('.jsonl', '.manifest.json'));
  const same = expect.stringContaining('same file');
  expect((await compareRuns(a, a)).warnings).toEqual([same]);
  expect((await compareRuns(a, link)).warnings).toEqual([same]);
  expect((await compareRuns(a, b)).warnings).toEqual([]);
});

test('names differing options as they are typed', async () => {
  const folder = await temporaryFolder();
  const [a, b] = [await ran(folder, 'a'), await ran(folder, 'b', { maxNewTokens: 9 })];
  expect((await compareRuns(a, b)).differences).toEqual([{ what: '--max-new-tokens', a: '512', b: '9' }]);
});

test('draws several runs in the same pictures, each named by what distinguishes it', async () => {
  const folder = await temporaryFolder();
  const paths = [await ran(folder, 'a', { iters: 2 }), await ran(folder, 'b', { iters: 1 })];
  const results = await Promise.all(paths.map(readResults));
  expect(runRows(results).map(({ settings, iterations }) => [settings.file, iterations])).toEqual([
    ['a', 0],
    ['a', 1],
    ['a', 2],
    ['b', 0],
    ['b', 1],
  ]);
  expect(runsPage(results, 'light').warnings).toEqual([]);
  const [first, second] = results;
  if (first === undefined || second === undefined) throw new Error('there are two runs');
  const page = runsPage([first, { ...second, records: second.records.slice(0, 1) }], 'light');
  expect(page.warnings).toEqual(['Some tasks are not in all runs: only those that all have are drawn.']);
  const { report, count } = await reportRuns(paths, parseReportOptions({}));
  expect([report, count]).toEqual([join(folder, 'runs.report.html'), 4]);
  const html = await readFile(report, 'utf8');
  expect(html).toContain('<title>2 runs on set</title>');
  expect(html.match(/data:image\/svg\+xml;base64,/g)).toHaveLength(4);
});

test('names runs in charts by the options in which they differ', async () => {
  const folder = await temporaryFolder();
  const paths = [
    await ran(folder, 'a', { temperature: 0.4 }),
    await ran(folder, 'b', { agent: 'react', temperature: 0.4 }),
    await ran(folder, 'c', { temperature: 0.4, seed: 7 }),
  ];
  const results = await Promise.all(paths.map(readResults));
  const shown = runRows(results).map(({ settings }) => Object.entries(settings).flat().join(' '));
  expect(shown).toEqual(['agent reflect seed 0', 'agent react seed 0', 'agent reflect seed 7']);
});
