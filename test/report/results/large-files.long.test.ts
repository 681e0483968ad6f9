import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeLargeRun } from '../../bench/results/large-run.ts';
import { measured } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Memory does not grow with the texts of records: these files are larger than what each command may use. */
const MAX_MEBIBYTES = 400;

test('reports, comparisons and merging take little memory', { timeout: 600_000 }, async () => {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  const bytes = await writeLargeRun(at('a.jsonl'), { tasks: 400, samples: 110, isShuffled: true });
  await writeLargeRun(at('b.jsonl'), { tasks: 400, samples: 11, skill: 3 });
  expect(bytes / 2 ** 20).toBeGreaterThan(MAX_MEBIBYTES);
  for (const args of [
    ['report', at('a.jsonl'), '--out', at('a.html')],
    ['report', at('a.jsonl'), '--out', at('a.svg')],
    ['compare', at('a.jsonl'), at('b.jsonl')],
    ['merge', at('a.jsonl'), '--out', at('merged.jsonl')],
    ['report', at('merged.jsonl'), '--out', at('m.svg')],
  ]) {
    const { exitCode, stderr, mebibytes } = await measured(args);
    expect([args[0], exitCode, exitCode === 0 ? '' : stderr]).toEqual([args[0], 0, '']);
    expect(mebibytes).toBeLessThan(MAX_MEBIBYTES);
  }
});
