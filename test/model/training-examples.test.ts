import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packageFile } from '../../lib/files/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const train = packageFile('fixtures/model/train');

const counted = `
def longest_run(word):
    """The length of the longest run of one letter.

    >>> longest_run('abbccc')
    3
    >>> longest_run('')
    0
    """
    best = 0
    run = 0
    last = None
    for letter in word:
        run = run + 1 if letter == last else 1
        last = letter
        best = max(best, run)
    return best


def undocumented(numbers):
    total = 0
    for number in numbers:
        total += number
    return total
`;

const rows = z.array(
  z.object({
    name: z.string(),
    code: z.string(),
    buggy: z.string(),
    origin: z.string(),
    licence: z.string(),
    fails_docstring: z.boolean(),
    calls: z.array(z.tuple([z.string(), z.string()])).optional(),
  }),
);

async function made(folder: string, ...options: string[]) {
  const out = join(folder, 'out.jsonl.gz');
  await execa('python3', ['-B', 'doctests.py', folder, '--bugs', '4', '--out', out, ...options], {
    cwd: train,
  });
  const text = gunzipSync(await readFile(out))
    .toString()
    .trim();
  return rows.parse(text === '' ? [] : text.split('\n').map(line => JSON.parse(line)));
}

test('functions with doctests become examples of bugs that their tests find, without duplicates', async () => {
  const folder = await temporaryFolder();
  for (const name of ['TheAlgorithms/strings', 'algorithms']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'runs.py'), counted);
  }
  const examples = await made(folder);
  expect(examples.length).toBeGreaterThan(0);
  expect(new Set(examples.map(({ name }) => name))).toEqual(new Set(['longest_run']));
  expect(new Set(examples.map(({ buggy }) => buggy)).size).toBe(examples.length);
  expect(examples.filter(({ fails_docstring }) => fails_docstring).length).toBeGreaterThan(0);
  for (const example of examples) expect(example).toMatchObject({ origin: 'TheAlgorithms', licence: 'MIT' });
});

test('held-out packages appear only in the held-out examples, with each call’s expected value', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'toolz'));
  await writeFile(join(folder, 'toolz', 'runs.py'), counted);
  expect(await made(folder)).toEqual([]);
  const [example] = await made(folder, '--held-out');
  expect(example?.calls?.slice(0, 2)).toEqual([
    ["longest_run('abbccc')", '3'],
    ["longest_run('')", '0'],
  ]);
  expect(example?.calls?.length).toBeGreaterThan(2);
});
