import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { measured } from '../support/memory.ts';
import { writeLargeRun } from './results/large-run.ts';
import { timePage } from './results/page-requests.ts';

/**
 * Seconds and peak memory of the commands that read results and of the requests of the page of `hefix view`, on a
 * million records, or as many as RECORDS says. The first report reads the records; later commands read the columns that
 * it wrote.
 */
const count = Number(process.env.RECORDS ?? 1_000_000);
const samples = Math.ceil(count / 164);
const folder = mkdtempSync(join(process.env.RESULTS_FOLDER ?? tmpdir(), 'hefix-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const show = (line: string) => process.stdout.write(`${line}\n`);
const inSeconds = (seconds: number) => `${seconds.toFixed(2).padStart(7)} s`;
const inMemory = (mebibytes: number) => `${mebibytes.toFixed(0).padStart(6)} MiB`;

async function showMeasured(name: string, args: readonly string[]): Promise<void> {
  const start = performance.now();
  const { exitCode, stderr, mebibytes } = await measured(args);
  const seconds = (performance.now() - start) / 1000;
  show(`${name.padEnd(46)} ${inSeconds(seconds)} ${inMemory(mebibytes)}`);
  if (exitCode !== 0) show(stderr);
}

async function showPage(name: string, folder: string, whole: boolean): Promise<void> {
  show(`${name}:`);
  const mebibytes = await timePage(folder, {
    whole,
    show: (what, seconds) => show(`  ${what.padEnd(44)} ${inSeconds(seconds)}`),
  });
  show(`${'  all of this'.padEnd(46)} ${''.padStart(9)} ${inMemory(mebibytes)}`);
}

test('commands that read results', { timeout: 3_600_000 }, async () => {
  mkdirSync(at('runs'));
  const [a, b] = [at('runs/a.jsonl'), at('runs/b.jsonl')];
  const bytes = await writeLargeRun(a, { tasks: 164, samples });
  show(`${164 * samples} records, ${(bytes / 2 ** 30).toFixed(1)} GiB`);
  await showPage('view, first time', at('runs'), false);
  await writeLargeRun(b, { tasks: 164, samples: Math.ceil(samples / 10), skill: 3 });
  await showMeasured('report, first time', ['report', a, '--out', at('a.svg')]);
  await showMeasured('report', ['report', a, '--out', at('a.svg')]);
  await showMeasured('report as a page', ['report', a, '--out', at('a.html')]);
  await showMeasured('compare, first time for b', ['compare', a, b]);
  await showMeasured('compare', ['compare', a, b]);
  await showPage('view', at('runs'), true);
  await showMeasured('merge', ['merge', a, '--out', at('merged.jsonl')]);
  await showMeasured('report of the merged', ['report', at('merged.jsonl'), '--out', at('m.svg')]);
});
