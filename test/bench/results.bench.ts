import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { measured } from '../support/memory.ts';
import { writeLargeRun } from './results/large-run.ts';

/**
 * Seconds and peak memory of the commands that read results, on a million records, or as many as RECORDS says.
 * The first report reads the records; later commands read the columns that it wrote.
 */
const count = Number(process.env.RECORDS ?? 1_000_000);
const samples = Math.ceil(count / 164);
const folder = mkdtempSync(join(process.env.RESULTS_FOLDER ?? tmpdir(), 'hefix-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const show = (line: string) => process.stdout.write(`${line}\n`);

async function showMeasured(name: string, args: readonly string[]): Promise<void> {
  const start = performance.now();
  const { exitCode, stderr, mebibytes } = await measured(args);
  const seconds = (performance.now() - start) / 1000;
  show(`${name.padEnd(34)} ${seconds.toFixed(1).padStart(6)} s ${mebibytes.toFixed(0).padStart(6)} MiB`);
  if (exitCode !== 0) show(stderr);
}

test('commands that read results', { timeout: 3_600_000 }, async () => {
  const bytes = await writeLargeRun(at('a.jsonl'), { tasks: 164, samples });
  await writeLargeRun(at('b.jsonl'), { tasks: 164, samples: Math.ceil(samples / 10), skill: 3 });
  show(`${164 * samples} records, ${(bytes / 2 ** 30).toFixed(1)} GiB`);
  await showMeasured('report, first time', ['report', at('a.jsonl'), '--out', at('a.svg')]);
  await showMeasured('report', ['report', at('a.jsonl'), '--out', at('a.svg')]);
  await showMeasured('report as a page', ['report', at('a.jsonl'), '--out', at('a.html')]);
  await showMeasured('compare, first time for b', ['compare', at('a.jsonl'), at('b.jsonl')]);
  await showMeasured('compare', ['compare', at('a.jsonl'), at('b.jsonl')]);
  await showMeasured('merge', ['merge', at('a.jsonl'), '--out', at('merged.jsonl')]);
  await showMeasured('report of the merged', ['report', at('merged.jsonl'), '--out', at('m.svg')]);
});
