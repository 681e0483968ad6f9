import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';
import { expectProvokedErrorsToCount } from '../support/score-provoked.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each(['python', 'js'] as const)('wrong candidates that provoke errors count as failed: %s', lang =>
  expectProvokedErrorsToCount(lang),
);

test('tests that the reference cannot be judged by either are an error', async () => {
  const cwd = await temporaryFolder();
  const texts = {
    'wrong.py': 'def f(xs):\n    return 0\n',
    'right.py': 'def f(xs):\n    return sum(xs)\n',
    'tests.py': 'f([1, 2])\n',
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(cwd, name), text);
  const given = ['exec', '--code', 'wrong.py', '--tests', 'tests.py', '--entry-point', 'f'];
  const { stderr, exitCode } = await hefixHere([...given, '--reference', 'right.py'], { cwd });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[TESTS_INVALID]')]);
});

test('exec fails a candidate that skips all assertions, with a reference or without', async () => {
  const cwd = await temporaryFolder();
  const texts = {
    'wrong.py': "def f(xs):\n    'Adds.'\n    return 0\n",
    'right.py': 'def f(xs):\n    return sum(xs)\n',
    'tests.py': 'if f.__doc__ is None:\n    assert f([1, 2]) == 3\n',
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(cwd, name), text);
  const given = ['exec', '--code', 'wrong.py', '--tests', 'tests.py', '--entry-point', 'f'];
  for (const more of [[], ['--reference', 'right.py']]) {
    const { stdout, exitCode } = await hefixHere([...given, ...more], { cwd });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('without one of their assertions')]);
  }
});
