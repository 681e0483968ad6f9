import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Each mistake gets one sentence with its code and one on what to do; `hefix fix` ends with exit code 2. */

const stats = `def median(values):
    """The middle value.

    >>> median([3, 1, 2])
    2
    """
    return sorted(values)[0]


class Box:
    def size(self):
        return 1


class Bag:
    def size(self):
        return 2
`;
const files: Readonly<Record<string, string>> = {
  'stats.py': stats,
  'plain.py': 'def plain():\n    return 1\n',
  'broken.py': 'def broken(:\n    return 1\n',
  'broken.js': 'export function broken( {\n  return 1;\n}\n',
  'notes.txt': '',
  'test_missing.py': 'from no_such_module import thing\n\n\ndef test_thing():\n    assert thing()\n',
  'empty/readme.md': '',
  '.tools/pyvenv.cfg': '',
};

test.each([
  ['a file', ['stat.py'], 'TARGET_NOT_FOUND', 'There is no stat.py.', 'Did you mean stats.py?'],
  [
    'a test file',
    ['stats.py', '--tests', 'test_no.py'],
    'TARGET_NOT_FOUND',
    'There is no test_no.py.',
    /exists/,
  ],
  [
    'another language',
    ['notes.txt'],
    'TARGET_UNSUPPORTED',
    /neither Python, JavaScript nor TypeScript/,
    /\.ts/,
  ],
  [
    'a function',
    ['stats.py::medain'],
    'FUNCTION_NOT_FOUND',
    'There is no function medain in stats.py.',
    'Did you mean median?',
  ],
  [
    'two functions of one name',
    ['stats.py::size'],
    'FUNCTION_AMBIGUOUS',
    'stats.py has 2 functions named size, in lines 11, 16.',
    'Add the line: stats.py::size:11.',
  ],
  ['a folder without tests', ['empty'], 'TESTS_MISSING', /There are no tests for .*empty/, /--tests/],
  ['a file without tests', ['plain.py'], 'TESTS_MISSING', /There are no tests for plain\.py/, /--tests/],
  [
    'tests that do not import',
    ['plain.py', '--tests', 'test_missing.py'],
    'TESTS_NOT_COLLECTED',
    "ModuleNotFoundError: No module named 'no_such_module'",
    /--python/,
  ],
  [
    'a syntax error',
    ['broken.py', '--tests', 'test_missing.py'],
    'SOURCE_SYNTAX',
    'broken.py has a syntax error (line 1).',
    /first/,
  ],
  [
    'a syntax error in JavaScript',
    ['broken.js', '--tests', 'test_missing.py'],
    'SOURCE_SYNTAX',
    /line 1/,
    /first/,
  ],
  [
    'no interpreter of that name',
    ['stats.py', '--python', './no-python'],
    'INTERPRETER_UNUSABLE',
    /no-python/,
    /[.?]$/,
  ],
  ['a read-only file', ['locked.py', '--write'], 'FILE_READ_ONLY', /locked\.py is read-only/, /--patch/],
])('%s', async (_, args, code, sentence, hint) => {
  const cwd = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(cwd, path, '..'), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  await writeFile(join(cwd, 'locked.py'), stats);
  await chmod(join(cwd, 'locked.py'), 0o444);
  await expectError(args, code, sentence, hint, { cwd });
});

test('a virtual environment without an interpreter', async () => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, '.venv'));
  await writeFile(join(cwd, '.venv/pyvenv.cfg'), '');
  await writeFile(join(cwd, 'stats.py'), stats);
  const sentence = /The virtual environment .*\.venv has no Python interpreter\./;
  await expectError(['stats.py'], 'INTERPRETER_UNUSABLE', sentence, /--python/, { cwd });
});

test('a missing API key is refused before the tests run', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'stats.py'), stats);
  const args = ['fix', 'stats.py', '--backend', 'openai', '--provider', 'openai', '--model', 'm'];
  const { exitCode, stderr } = await hefixHere(args, { cwd, env: { OPENAI_API_KEY: undefined } });
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error .* \[BACKEND_KEY_MISSING\]\n/)]);
});

test('a provider’s key in .env is found before the tests run', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, '.env'), 'TOGETHER_API_KEY=key1,key2\n');
  const args = ['fix', 'missing.py', '--provider', 'together', '--model', 'm'];
  const { exitCode, stderr } = await hefixHere(args, { cwd, env: { TOGETHER_API_KEY: undefined } });
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error .* \[TARGET_NOT_FOUND\]\n/)]);
});

test('a project above the cap', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'stats.py'), stats);
  await writeFile(join(cwd, 'large.bin'), Buffer.alloc(101 * 2 ** 20));
  await expectError(['.'], 'PROJECT_TOO_LARGE', /more than 100 MiB, more/, /smaller folder/, {
    cwd,
  });
});

async function expectError(
  args: readonly string[],
  code: string,
  sentence: string | RegExp,
  hint: string | RegExp,
  options: Parameters<typeof hefixHere>[1],
): Promise<void> {
  const { exitCode, stdout, stderr } = await hefixHere(['fix', ...args, '--quiet', '--no-rank'], options);
  const [first, second, ...more] = stderr.split('\n');
  expect(first).toMatch(sentence);
  expect(first).toMatch(new RegExp(`^error .* \\[${code}\\]$`));
  expect(second).toMatch(hint);
  expect(more).toEqual([]);
  expect([exitCode, stdout]).toEqual([2, '']);
}
