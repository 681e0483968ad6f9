import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Clones whose files try to make the host read something else, or more than it can. */

const code = 'def double(x):\n    return x + 2\n';
const failingTest = 'from double import double\n\n\ndef test_double():\n    assert double(4) == 8\n';

interface Clone {
  readonly cwd: string;
  /** A folder beside it, with the file `key.py`. */
  readonly secret: string;
}

async function clone(files: Readonly<Record<string, string>> = {}): Promise<Clone> {
  const home = await temporaryFolder();
  const [cwd, secret] = [join(home, 'a/clone'), join(home, 'secret')];
  await put(secret, { 'key.py': 'KEY = "s3cr3t"\nassert KEY == "other s3cr3t"\n' });
  await put(cwd, { 'double.py': code, 'test_double.py': failingTest, ...files });
  return { cwd, secret };
}

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function fixed(cwd: string, args: readonly string[] = []) {
  const words = ['fix', '.', '--no-rank', '--json', '--quiet', '--time', '60', ...args];
  return await hefixHere(words, { cwd });
}

describe('the lines of a file outside of the project', () => {
  /** Test code that says to be in the file at a path, below the copy of the project. */
  const claiming = (path: string) => `import os
from double import double


def test_double():
    assert double(4) == 8


def test_claims():
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(path)})
    exec(compile("\\nassert 1 == 2\\n", place, "exec"))
`;
  const links: Readonly<Record<string, (clone: Clone) => readonly [link: string, target: string][]>> = {
    'an absolute link': ({ secret }) => [['tests/linked.py', join(secret, 'key.py')]],
    'a relative link': () => [['tests/linked.py', '../../../secret/key.py']],
    'a link that stays inside as text': () => [
      ['b/c/d/e/f/g/h', '../../../../../..'],
      ['tests/linked.py', '../b/c/d/e/f/g/h/../../../secret/key.py'],
    ],
    'a chain of links': () => [
      ['one', '..'],
      ['two', 'one/..'],
      ['tests/linked.py', '../two/secret/key.py'],
    ],
    'a link to a folder': () => [['tests', '../../secret']],
  };
  test.each(Object.entries(links))('are not shown through %s', async (name, make) => {
    const found = await clone();
    const path = name.endsWith('folder') ? 'tests/key.py' : 'tests/linked.py';
    await put(found.cwd, { 'test_double.py': claiming(path) });
    for (const [link, target] of make(found)) {
      await mkdir(dirname(join(found.cwd, link)), { recursive: true });
      await symlink(target, join(found.cwd, link));
    }
    const { stdout, stderr, exitCode } = await fixed(found.cwd);
    expect(stdout + stderr).not.toContain('s3cr3t');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { before: { failed: 2 }, outcome: 'partly' }]);
  });

  test('are shown for a link that stays inside, which the copy has too', async () => {
    const { cwd } = await clone({ 'lib/own.py': '\nassert 1 == 2, "own line"\n' });
    await put(cwd, { 'test_double.py': claiming('tests/linked.py'), 'tests/data.txt': '' });
    await symlink('../lib/own.py', join(cwd, 'tests/linked.py'));
    expect((await fixed(cwd)).stdout).toContain('own line');
  });

  test('a link in the current folder does not lead a named target out of it', async () => {
    const { cwd, secret } = await clone();
    await symlink(secret, join(cwd, 'linked'));
    for (const args of [['linked/key.py'], ['double.py', '--tests', 'linked']]) {
      const { exitCode, stderr } = await hefixHere(['fix', ...args, '--no-rank'], { cwd });
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringMatching(/leads out .* to \S+secret.*\[TARGET_OUTSIDE\]/),
      ]);
    }
  });
});

describe('what the process of the tests sends', () => {
  const floods: Readonly<Record<string, string>> = {
    'one endless line': "b'a' * 2**20",
    'endless lines': "b'{}\\n' * 2**18",
    'a line without a message': "b'\\n' * 2**20",
  };
  test.each(Object.entries(floods))('%s ends that process, not hefix', async (_, bytes) => {
    const { cwd } = await clone({
      'conftest.py': `import os
import threading


def flood(number):
    try:
        while True:
            os.write(number, data)
    except OSError:
        pass


data = ${bytes}
threads = [threading.Thread(target=flood, args=(number,)) for number in range(3, 256)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
`,
    });
    const { exitCode, stderr } = await fixed(cwd);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[TESTS_NOT_COLLECTED]')]);
    expect(stderr).toContain('sent more than a report');
  });
});

test('the file of --save-state is not written through a link beside it', async () => {
  const { cwd, secret } = await clone();
  await symlink(join(secret, 'key.py'), join(cwd, 'state.json.tmp'));
  const before = await readFile(join(secret, 'key.py'), 'utf8');
  expect((await fixed(cwd, ['--save-state', 'state.json'])).exitCode).toBe(0);
  expect(await readFile(join(secret, 'key.py'), 'utf8')).toBe(before);
});

test('a file that takes too long to parse is left out, with a note, and the others are repaired', async () => {
  const { cwd } = await clone({
    'double.py': `try:\n    import slow\nexcept SyntaxError:\n    pass\n\n\n${code}`,
    'slow.py': ':}{'.repeat(80_000) + '>a'.repeat(120_000),
  });
  const { stdout, exitCode } = await fixed(cwd);
  const { outcome, notes } = JSON.parse(stdout);
  expect([exitCode, outcome]).toEqual([0, 'repaired']);
  expect(notes).toContain('slow.py takes too long to parse, so that no function in it is repaired.');
});
