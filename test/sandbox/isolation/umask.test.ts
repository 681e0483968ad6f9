import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toolchainCache } from '../../../lib/extra/compiled/find-toolchain.ts';
import { createKeptPrograms } from '../../../lib/extra/compiled/native-runtime.ts';
import { listProject, takeSnapshot } from '../../../lib/fix/project/snapshot.ts';
import { surveyIsolation } from '../../../lib/sandbox/isolation/isolation.ts';
import { levelsOn } from '../../../lib/sandbox/isolation/levels.ts';
import { preparePython } from '../../../lib/sandbox/python/host/python-programs.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { linux, needs, root } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Files that hefix makes are readable in jails, which may run as another user, whatever the user's mask is. */

const user = process.umask();
beforeEach(() => {
  process.umask(0o077);
});
afterEach(() => {
  process.umask(user);
});

test('every level works that works with an ordinary mask', async () => {
  const { executable } = await preparePython();
  const worked = async () => (await surveyIsolation(executable)).map(({ works }) => works);
  const closed = await worked();
  process.umask(0o022);
  expect(closed).toEqual(await worked());
});

test.for(levelsOn(process.platform).map(({ name }) => name))(
  'the mask of candidates is the same for every user: %s',
  async (isolation, { skip }) => {
    const sandbox = await createPythonSandbox({ isolation, poolSize: 0 }).catch(() => null);
    if (sandbox === null) return skip(isolation);
    const candidate =
      'import os\n\ndef mask():\n    found = os.umask(0)\n    os.umask(found)\n    return found\n';
    const tests = 'assert mask() == 0o022';
    const request = { language: 'python', candidate, tests, entryPoint: 'mask' } as const;
    const { verdict } = await sandbox.execute(request).finally(() => sandbox.close());
    expect(verdict.kind).toBe('passed');
  },
);

test(
  'at ulimit, candidates can read an interpreter that belongs to root, and nothing beside it',
  needs(linux, root),
  async ({ skip }) => {
    const { executable } = await preparePython();
    const ulimit = (await surveyIsolation(executable)).find(({ level }) => level === 'ulimit');
    if (!ulimit?.works || !ulimit.holds.includes('landlock')) return skip('Landlock (Linux 5.13 or newer)');
    const folder = join(await temporaryFolder(), 'closed');
    mkdirSync(folder, { mode: 0o700 });
    const python = join(folder, 'python3');
    copyFileSync(executable, python);
    writeFileSync(join(folder, 'key'), '');
    const sandbox = await createPythonSandbox({ isolation: 'ulimit', poolSize: 0, python });
    const candidate = `def reads(path):
    try:
        open(path).close()
        return True
    except OSError as error:
        return type(error).__name__
`;
    const answer = async (path: string, expected: string) => {
      const tests = `assert reads(${JSON.stringify(path)}) == ${expected}`;
      const request = { language: 'python', candidate, tests, entryPoint: 'reads' } as const;
      return (await sandbox.execute(request)).verdict;
    };
    const verdicts = [await answer(python, 'True'), await answer(join(folder, 'key'), "'PermissionError'")];
    await sandbox.close();
    expect(verdicts).toMatchObject([{ kind: 'passed' }, { kind: 'passed' }]);
  },
);

/** The permissions of others, below and including a path. */
function forOthers(path: string): Record<string, number> {
  const names = statSync(path).isDirectory() ? ['.', ...readdirSync(path, { recursive: true })] : ['.'];
  return Object.fromEntries(names.map(name => [name, statSync(join(path, String(name))).mode & 0o7]));
}

test('a project is copied for every user', async () => {
  const root = await temporaryFolder();
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  writeFileSync(join(root, 'src', 'deep', 'a.py'), '');
  const copy = takeSnapshot(root, listProject(root));
  const found = forOthers(copy.path);
  await copy.remove();
  expect(found).toEqual({ '.': 5, src: 5, 'src/deep': 5, 'src/deep/a.py': 4 });
});

test('built programs are for every user', async () => {
  const programs = createKeptPrograms();
  const { candidates } = programs;
  const { argv } = await candidates.add(Buffer.from(''));
  const read = await candidates.add(Buffer.from(''), path => ['java', path]);
  const found = [argv[0] ?? '', ...read.readable].map(forOthers);
  await programs.close();
  expect(found).toEqual([{ '.': 5 }, { '.': 4 }]);
});

test('what is built once per toolchain is for every user', async () => {
  const { HEFIX_CACHE: cache } = process.env;
  process.env.HEFIX_CACHE = await temporaryFolder();
  const folder = await toolchainCache('test', [], async temporary => {
    mkdirSync(join(temporary, 'lib'));
    writeFileSync(join(temporary, 'lib', 'a.o'), '');
  }).finally(() => {
    if (cache === undefined) delete process.env.HEFIX_CACHE;
    else process.env.HEFIX_CACHE = cache;
  });
  expect(forOthers(folder)).toEqual({ '.': 5, lib: 5, 'lib/a.o': 4 });
});
