import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test, vi } from 'vitest';
import { surveyIsolation } from '../../lib/sandbox/isolation/isolation.ts';
import { preparePython } from '../../lib/sandbox/python/host/python-programs.ts';
import { hefix } from '../support/cli.ts';
import { needs, venv } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Projects that try to reach the host when `hefix fix .` is typed in them, at every level of isolation. */
vi.setConfig({ testTimeout: 300_000 });

const wanted = ['bubblewrap', 'namespaces', 'ulimit'] as const;
const survey = await surveyIsolation((await preparePython()).executable);
const levels = wanted.filter(level => survey.some(found => found.level === level && found.works));
if (levels.length < wanted.length) console.warn(`Only these levels work here: ${levels.join(', ')}.`);

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function fixed(cwd: string, args: readonly string[] = [], env = {}) {
  const words = [
    'fix',
    '.',
    '--no-rank',
    '--question-time',
    '0',
    '--json',
    ...(args.includes('--time') ? [] : ['--time', '100']),
    ...args,
  ];
  const { stdout, stderr, exitCode } = await hefix(words, { cwd, env });
  return { exitCode, stderr: String(stderr), report: stdout ? JSON.parse(String(stdout)) : null };
}

describe('links in node_modules', () => {
  const links = {
    direct: 'SECRET',
    relative: '../../secret',
    around: '../..',
    chain: './relative',
    '@scope/package': '../../../secret',
    '@other': '../..',
  };
  const reads = [
    ...['direct', 'relative', 'chain', '@scope/package'].map(name => `node_modules/${name}/key.txt`),
    'node_modules/around/secret/key.txt',
    'node_modules/@other/secret/key.txt',
    'link/key.txt',
    'SECRET/key.txt',
  ];

  test.each(levels)('show the tests nothing outside of the project at the level %s', async level => {
    const home = await temporaryFolder();
    const [cwd, secret] = [join(home, 'project'), join(home, 'secret')];
    const paths = reads.map(path => path.replace('SECRET', secret));
    await put(secret, { 'key.txt': 'secret', 'package.json': '{"name": "x"}' });
    await put(cwd, {
      'package.json': '{"type": "module"}',
      'node_modules/rates/index.js': 'module.exports = 2;\n',
      'double.js': "import rate from 'rates';\n\nexport function double(x) {\n  return x + rate;\n}\n",
      'double.test.js': `import assert from 'node:assert';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { double } from './double.js';
test('double', () => assert.equal(double(4), 8));
for (const path of ${JSON.stringify(paths)})
  test('reads ' + path, () => assert.throws(() => readFileSync(path)));
test('lists the folder around', () => assert.throws(() => readdirSync(${JSON.stringify(home)})));
`,
    });
    for (const [name, target] of Object.entries(links)) {
      await mkdir(dirname(join(cwd, 'node_modules', name)), { recursive: true });
      await symlink(target.replace('SECRET', secret), join(cwd, 'node_modules', name));
    }
    await symlink(secret, join(cwd, 'link'));
    const { report, stderr } = await fixed(cwd, ['--isolation', level]);
    expect([stderr, report]).toMatchObject([
      expect.anything(),
      { outcome: 'repaired', isolation: level, before: { passed: paths.length + 1, failed: 1 } },
    ]);
    expect(report.notes.filter((note: string) => note.includes('leads out of the project'))).toHaveLength(
      Object.keys(links).length,
    );
  });

  test('cannot continue the description of a jail by their names', async () => {
    const home = await temporaryFolder();
    const [cwd, secret] = [join(home, 'project'), join(home, 'secret')];
    await put(secret, { 'key.txt': 'secret' });
    const named = `packages/a\nread ${secret}\nread /x`;
    await put(cwd, {
      'package.json': '{"type": "module", "workspaces": ["packages/*"]}',
      [`${named}/node_modules/rates/index.js`]: '',
      'a.js': 'export const f = () => 1;\n',
      'a.test.js': "import assert from 'node:assert';\nimport { f } from './a.js';\nassert.equal(f(), 2);\n",
    });
    for (const level of levels) {
      const { exitCode, stderr } = await fixed(cwd, ['--isolation', level]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[PATH_UNMOUNTABLE]')]);
    }
  });
});

describe('an interpreter in the project', async () => {
  const hasVenv = (await execa('python3', ['-c', 'import venv'], { reject: false })).exitCode === 0;
  const code = 'def double(x):\n    """\n    >>> double(4)\n    8\n    """\n    return x + 2\n';

  /** A project, and a file beside it that code on the host would write, with the secret of the user. */
  async function project(files: Readonly<Record<string, string>> = {}) {
    const home = await temporaryFolder();
    const [cwd, mark] = [join(home, 'project'), join(home, 'marked')];
    await put(cwd, { 'double.py': code });
    for (const [path, text] of Object.entries(files)) {
      await put(cwd, { [path]: text.replaceAll('MARK', mark) });
      if (text.startsWith('#!')) await chmod(join(cwd, path), 0o755);
    }
    return { home, cwd, mark };
  }

  // By its path: the name alone could be the script itself.
  const { stdout: python } = await execa('python3', ['-c', 'import sys; print(sys.executable)']);
  const script = `#!/bin/sh\nenv > MARK\nexec ${python} "$@"\n`;
  const scripts: ReadonlyArray<
    readonly [string, Readonly<Record<string, string>>, readonly string[], string]
  > = [
    ['.venv/bin/python', { '.venv/pyvenv.cfg': '', '.venv/bin/python': script }, [], ''],
    ['venv/bin/python3', { 'venv/pyvenv.cfg': 'home = /usr/bin\n', 'venv/bin/python3': script }, [], ''],
    ['env/bin/python', { 'env/pyvenv.cfg': '', 'env/bin/python': script }, [], ''],
    ['--python', { 'tools/run.sh': script }, ['--python', './tools/run.sh'], ''],
    ['VIRTUAL_ENV', { 'own/bin/python': script }, [], 'own'],
    ['a name on PATH', { 'bin/hostile': script }, ['--python', 'hostile'], 'bin'],
  ];
  test.each(scripts)(
    'an interpreter that is a script is never started on the host: %s',
    async (_, files, args, folder) => {
      const { cwd, mark } = await project(files);
      const path = { PATH: `${join(cwd, 'bin')}:${process.env.PATH}` };
      const env = {
        ...(folder === 'bin' ? path : folder ? { VIRTUAL_ENV: join(cwd, folder) } : {}),
        SECRET: '1',
      };
      const { exitCode } = await fixed(cwd, args, env);
      expect([0, 2]).toContain(exitCode);
      expect(existsSync(mark)).toBe(false);
    },
  );

  test('a python3 that npm puts on PATH is passed over', async () => {
    const { cwd, mark } = await project({
      'node_modules/.bin/python3': script,
      'node_modules/.bin/bwrap': script,
    });
    const PATH = `${join(cwd, 'node_modules/.bin')}:.:${process.env.PATH}`;
    expect(await fixed(cwd, [], { PATH })).toMatchObject({ exitCode: 0 });
    expect(existsSync(mark)).toBe(false);
  });

  const inVenv = [
    ['a .pth file', 'evil.pth', `import os; open('MARK', 'w').write(repr(dict(os.environ)))\n`],
    ['sitecustomize', 'sitecustomize.py', `open('MARK', 'w').write('here')\n`],
    ['usercustomize', 'usercustomize.py', `open('MARK', 'w').write('here')\n`],
    ['its pytest', 'pytest/__init__.py', `open('MARK', 'w').write('here')\n`],
    ['its metadata', 'importlib_metadata.pth', `import subprocess; subprocess.run(['touch', 'MARK'])\n`],
  ] as const;
  describe(
    'a real interpreter does not run the project’s code on the host',
    needs({ what: venv, isThere: hasVenv }),
    () => {
      test.each(inVenv)('%s', async (_, name, text) => {
        const { cwd, mark } = await project();
        await execa('python3', ['-m', 'venv', '--without-pip', join(cwd, '.venv')]);
        const [packages = ''] = await readdir(join(cwd, '.venv/lib'));
        const place = join(cwd, '.venv/lib', packages, 'site-packages');
        await put(place, { [name]: text.replaceAll('MARK', mark) });
        // The level namespaces differs from bubblewrap only in how the jail is set up.
        for (const level of levels.filter(each => each !== 'namespaces' || !levels.includes('bubblewrap'))) {
          const { report } = await fixed(cwd, ['--isolation', level], { VIRTUAL_ENV: join(cwd, '.venv') });
          // A pytest that runs nothing leaves no tests to repair by.
          if (name.startsWith('pytest')) expect(report).toBeNull();
          else expect(report).toMatchObject({ outcome: 'repaired', isolation: level });
          expect(existsSync(mark)).toBe(false);
        }
      });
    },
  );

  test.each([
    ['the environment is a link', { '.venv': 'HOME/other' }],
    ['the interpreter is a link to another program', { '.venv/bin/python': '/bin/sh' }],
    ['the interpreter is a link to a file of the user', { '.venv/bin/python': 'HOME/other/bin/python' }],
  ])('is refused where %s', async (_, links) => {
    const { home, cwd, mark } = await project({ '.venv/pyvenv.cfg': '' });
    if ('.venv' in links) await rm(join(cwd, '.venv'), { recursive: true });
    await put(join(home, 'other'), { 'pyvenv.cfg': '', 'bin/python': script.replace('MARK', mark) });
    await chmod(join(home, 'other/bin/python'), 0o755);
    for (const [path, target] of Object.entries(links)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await symlink(target.replace('HOME', home), join(cwd, path));
    }
    const { exitCode, stderr } = await fixed(cwd);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[INTERPRETER_UNUSABLE]')]);
    expect(existsSync(mark)).toBe(false);
  });
});

test('a traceback that names a file outside of the project shows nothing of it', async () => {
  const home = await temporaryFolder();
  const cwd = join(home, 'project');
  await put(home, { 'key.txt': 'first line\nSECRET-OF-THE-HOST\n' });
  await put(cwd, {
    'shop.py': 'def total(prices):\n    return 17\n',
    'test_shop.py': `import os
from shop import total

def test_total():
    if total([2, 3]) != 5:
        place = os.path.dirname(os.path.abspath(__file__)) + '/tests/../..${home}/key.txt'.replace('..', '../../../../../../..', 1)
        exec(compile("\\nraise AssertionError('wrong')", place, 'exec'))
`,
  });
  const { report, stderr } = await fixed(cwd, ['--time', '5']);
  expect(report).toMatchObject({ failing: [{ message: 'wrong' }] });
  expect(JSON.stringify(report) + stderr).not.toContain('SECRET-OF-THE-HOST');
});
