import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse } from 'acorn';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packageFile } from '../../lib/files/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const train = packageFile('fixtures/model/train');

const source = `
/** The sum of the even numbers, without those above the limit. */
export function evenSum(numbers, limit) {
  let total = 0;
  for (const number of numbers) {
    if (number % 2 === 0 && number <= limit) {
      total += Math.abs(number);
    }
  }
  return total;
}

function secret(values) {
  const sorted = values.slice().sort((a, b) => a - b);
  return sorted[0];
}

function renamed(numbers) {
  let best = -Infinity;
  for (const number of numbers) {
    best = Math.max(best, number);
  }
  return best;
}
`;

const rows = z.array(
  z.object({
    name: z.string(),
    docstring: z.string(),
    code: z.string(),
    licence: z.string(),
    bugs: z.array(z.tuple([z.string(), z.number(), z.number(), z.string()])),
  }),
);

test('JavaScript functions get bugs that parse, without those that a benchmark names or contains', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'package'));
  await writeFile(
    join(folder, 'package', 'package.json'),
    '{"name":"package","version":"1.0.0","license":"MIT"}',
  );
  await writeFile(join(folder, 'package', 'index.js'), source);
  await writeFile(join(folder, 'names.json.gz'), gzipSync('{"names":["secret"]}'));
  const solution =
    'let top = 0;\n  for (const number of numbers) {\n    best = Math.max(best, number);\n  }\n  return best;\n';
  const task = {
    declaration: 'const f = (numbers) => {\n',
    canonical_solution: solution,
    buggy_solution: solution,
  };
  await writeFile(join(folder, 'tasks.jsonl.gz'), gzipSync(JSON.stringify(task)));
  const run = (...options: string[]) =>
    execa('node', [
      join(train, 'javascript.mjs'),
      '--out',
      join(folder, 'out.gz'),
      ...options,
      join(folder, 'package'),
    ]);
  const made = async () => {
    const text = gunzipSync(await readFile(join(folder, 'out.gz'))).toString();
    return rows.parse(
      text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    );
  };

  await run();
  expect((await made()).map(({ name }) => name).sort()).toEqual(['evenSum', 'renamed', 'secret']);
  await run('--names', join(folder, 'names.json.gz'), '--benchmark', join(folder, 'tasks.jsonl.gz'));
  const [row, ...others] = await made();
  expect(others).toEqual([]);
  expect(row).toMatchObject({ name: 'evenSum', licence: 'MIT' });
  const changed =
    row?.bugs.map(([, start, end, text]) => row.code.slice(0, start) + text + row.code.slice(end)) ?? [];
  expect(changed.length).toBeGreaterThan(10);
  expect(new Set(row?.bugs.map(([kind]) => kind))).toContain('missing logic');
  for (const program of changed) {
    expect(program).not.toBe(row?.code);
    expect(() => parse(program, { ecmaVersion: 'latest' })).not.toThrow();
  }
});

test('Python functions lose branches, conditions, wrappers and several lines', async () => {
  const program = `
import random
from mutate import mutations
code = '''def grade(n, names):
    first = names[0].replace("_", " ")
    if n < 0:
        return None
    elif n < 10:
        first = "low"
    else:
        first = "high"
    if first:
        first += "!"
    return sorted(names, key=len)[: n + 1]
'''
for kind, changed in mutations(code, random.Random(1)):
    if kind == "missing logic":
        print(repr(changed))
`;
  const { stdout } = await execa('python3', ['-B', '-c', program], { cwd: train });
  const missing = stdout.split('\n').join('\n');
  expect(missing).toContain('first = names[0]\\n'); // a call around a value
  expect(missing).toMatch(/return None\\n {4}else:/); // a branch
  expect(missing).toMatch(/first = "low"\\n {4}if first/); // an else
  expect(missing).toMatch(/"high"\\n {4}first \+= "!"/); // a condition
  expect(missing).toContain('sorted(names)['); // a named argument
});
