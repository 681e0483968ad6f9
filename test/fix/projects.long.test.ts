import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { inCopy, type Project, readProjects } from './projects.ts';

const projects = await readProjects();
const hasPytest = (await execa('python3', ['-c', 'import pytest'], { reject: false })).exitCode === 0;
/** Every third of them: repairs.long.test.ts repairs others, and fixtures/projects/measure.mjs all. */
const repairable = projects.filter(
  ({ expected }, index) => expected.outcome === 'repaired' && index % 3 === 1,
);
/** Its tests pass with a network alone. */
const OFFLINE = 'tests-need-network';
const passing = projects.filter(
  ({ name, expected }) => expected.outcome === 'nothing-to-repair' && name !== OFFLINE,
);

describe(
  'projects to repair (with pytest)',
  needs({ what: 'pytest (apt-get install python3-pytest)', isThere: hasPytest }),
  () => {
    it.for(repairable)('$name fails, and passes with its reference repair', async project => {
      await inCopy(project, async folder => {
        expect(await testsPass(project, folder)).toBe(false);
        await repair(project, folder);
        expect(await testsPass(project, folder)).toBe(true);
      });
    });

    it.for(passing)('$name has nothing to repair', async project => {
      await inCopy(project, async folder => expect(await testsPass(project, folder)).toBe(true));
    });
  },
);

it('keeps the bytes that git must not change', async () => {
  const bytes = async (name: string) => await readFile(join(folderOf(name), name.split('/')[1] ?? ''));
  const folderOf = (name: string) =>
    projects.find(project => project.name === name.split('/')[0])?.folder ?? '';
  expect((await bytes('crlf-lines/roman.py')).includes('\r\n')).toBe(true);
  expect((await bytes('latin-1-source/greeting.py')).includes(Buffer.from([0xf6, 0x6e]))).toBe(true);
});

it('cover every outcome, and are at least 40', () => {
  expect(projects.length).toBeGreaterThanOrEqual(40);
  const outcomes = new Set(projects.map(({ expected }) => expected.outcome));
  expect([...outcomes].sort()).toEqual(['error', 'not-repaired', 'nothing-to-repair', 'repaired']);
});

/** Latin-1 maps bytes to characters one to one, so the file keeps its encoding. */
async function repair({ expected }: Project, folder: string): Promise<void> {
  for (const { file, from, to } of expected.repair ?? []) {
    const text = await readFile(join(folder, file), 'latin1');
    expect(text.split(from)).toHaveLength(2);
    await writeFile(
      join(folder, file),
      text.replace(from, () => to),
      'latin1',
    );
  }
}

/** Runs the project's tests as its author would. An endless test counts as failed. */
async function testsPass({ expected }: Project, folder: string): Promise<boolean> {
  const { args, flaky = [] } = expected;
  const tests = args.includes('--tests') ? args.slice(args.indexOf('--tests') + 1) : [];
  const [file = ''] = tests;
  const stable = flaky.length === 0 ? [] : ['-k', flaky.map(name => `not ${name}`).join(' and ')];
  const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', ...stable, ...tests];
  const command =
    file === 'check.js'
      ? ['node', file]
      : (await hasJavaScript(folder))
        ? ['node', '--test', ...tests]
        : ['python3', '-B', ...pythonTests(args, file, pytest)];
  const [program = '', ...given] = command;
  const { exitCode } = await execa(program, given, { cwd: folder, reject: false, timeout: 20_000 });
  return exitCode === 0;
}

function pythonTests(args: readonly string[], file: string, pytest: readonly string[]): readonly string[] {
  if (file === 'checks.py') return [file];
  if (file === 'check_anagrams.py')
    return ['-c', 'import anagrams, check_anagrams; check_anagrams.check(anagrams.anagram_groups)'];
  return file === '' && args[0] !== '.' ? ['-m', 'doctest', args[0] ?? ''] : pytest;
}

async function hasJavaScript(folder: string): Promise<boolean> {
  const { stdout } = await execa('find', [folder, '-name', '*.[cm]js', '-o', '-name', '*.js']);
  return stdout !== '';
}
