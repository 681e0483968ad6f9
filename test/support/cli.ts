import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa, type Options } from 'execa';
import { packageFile } from '../../lib/files/package-root.ts';

/** Runs the compiled command line as a user does; never rejects for its exit code. */
export function hefix(args: readonly string[], options: Options = {}) {
  const env = { NO_COLOR: '1', FORCE_COLOR: undefined, ...options.env };
  return execa(process.execPath, [packageFile('dist/bin/hefix.js'), ...args], {
    ...options,
    reject: false,
    env,
  });
}

/** A dataset of tiny tasks `small/0` … and a script that solves each with the first repair. */
export async function writeSmallSet(
  folder: string,
  count: number,
): Promise<{ dataset: string; script: string }> {
  const all = Array.from({ length: count }, (_, index) => smallTask(index));
  const dataset = join(folder, 'small.jsonl');
  const script = join(folder, 'script.jsonl');
  await writeFile(dataset, lines(all.map(({ row }) => row)));
  await writeFile(script, lines(all.map(({ answers }) => answers)));
  return { dataset, script };
}

function smallTask(index: number) {
  const declaration = `def plus_${index}(x):\n`;
  const program = (body: string) => `\`\`\`python\n${declaration}    return ${body}\n\`\`\``;
  return {
    row: {
      task_id: `small/${index}`,
      declaration,
      docstring: `Gives x plus ${index}.`,
      canonical_solution: `    return x + ${index}\n`,
      buggy_solution: `    return x - ${index} - 1\n`,
      entry_point: `plus_${index}`,
      test: `assert plus_${index}(1) == ${index + 1}\nassert plus_${index}(-${index}) == 0\n`,
      bug_type: 'operator misuse',
    },
    answers: {
      when: `def plus_${index}(`,
      completions: [program(`x * ${index} - 7`), program(`x + ${index}`)],
    },
  };
}

function lines(values: readonly unknown[]): string {
  return values.map(value => `${JSON.stringify(value)}\n`).join('');
}
