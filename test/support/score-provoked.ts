import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Language } from '../../lib/core/task.ts';
import { readRecords } from '../../lib/index.ts';
import { hefixHere } from './cli.ts';
import { provokedErrors } from './provoked-errors.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Scores one wrong and one right candidate for each provoked error, and expects half of them to be solved. */
export async function expectProvokedErrorsToCount(lang: Language): Promise<void> {
  const cwd = await temporaryFolder();
  const cases = provokedErrors[lang];
  const rows = cases.map(({ declaration, solution, entryPoint, tests }, index) => ({
    ...{ task_id: `own/${index}`, declaration, canonical_solution: solution, buggy_solution: solution },
    ...{ entry_point: entryPoint, test: tests },
  }));
  const samples = cases.flatMap(({ declaration, solution, wrong }, index) =>
    [wrong, declaration + solution].map(text => ({ task_id: `own/${index}`, solution: text })),
  );
  await writeLines(join(cwd, 'tasks.jsonl'), rows);
  await writeLines(join(cwd, 'samples.jsonl'), samples);
  const given = [
    'score',
    'samples.jsonl',
    '--dataset-path',
    'tasks.jsonl',
    '--lang',
    lang,
    '--out',
    'r.jsonl',
  ];
  const { stdout, exitCode } = await hefixHere([...given, '--timeout', '20'], { cwd });
  expect(exitCode).toBe(0);
  const { summary } = JSON.parse(stdout);
  expect(summary).toMatchObject({
    ...{ errors: { runs: 0 }, runs: 2 * cases.length, pass_at_1: { value: 0.5 } },
  });
  const { records } = await readRecords(join(cwd, 'r.jsonl'));
  for (const { sample, passed, verdict } of records) {
    expect(passed).toBe(sample === 1);
    if (sample === 0) expect(`${verdict?.kind}: ${verdict?.message}`).toMatch(wrongVerdict(lang));
  }
}

/** Python and JavaScript judge such tests in one process, where the candidate fails by itself. */
function wrongVerdict(lang: Language): RegExp {
  return lang === 'python' || lang === 'js'
    ? /^(failed|raised): /
    : /^(signature: |failed: .*the reference solution)/;
}

async function writeLines(path: string, rows: readonly object[]): Promise<void> {
  await writeFile(path, rows.map(row => `${JSON.stringify(row)}\n`).join(''));
}
