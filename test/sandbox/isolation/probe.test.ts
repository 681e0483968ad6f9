import { spawnSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { findProgram } from '../../../lib/sandbox/isolation/programs.ts';
import { preparePython } from '../../../lib/sandbox/python/host/python-programs.ts';
import { levelNeeds, type Need, needs } from '../../support/needs.ts';
import { programFolder } from '../../support/temporary-folder.ts';

const bwrap = findProgram('bwrap');
const bubblewrap: Need = {
  what: levelNeeds.bubblewrap,
  isThere: bwrap !== undefined && spawnSync(bwrap, ['--bind', '/', '/', 'true']).status === 0,
};

/** Runs `hefix exec` with programs on the PATH that list their starts. */
async function machine() {
  const folder = await programFolder();
  const [log, broken] = [join(folder, 'log'), join(folder, 'broken')];
  const put = async (name: string, program: string) => {
    const lines = ['#!/bin/sh', `echo ${name} >> '${log}'`, `test -e '${broken}.${name}' && exit 1`];
    await writeFile(join(folder, name), `${lines.join('\n')}\nexec '${program}' "$@"\n`);
    await chmod(join(folder, name), 0o755);
  };
  await put('python3', (await preparePython()).executable);
  await put('bwrap', bwrap ?? '');
  await writeFile(join(folder, 'code.py'), 'def area(w, h):\n    return w * h\n');
  await writeFile(join(folder, 'tests.py'), 'assert area(2, 3) == 6\n');
  const words = ['--code', 'code.py', '--tests', 'tests.py', '--entry-point', 'area', '--json'];
  const env = { PATH: `${folder}:${process.env.PATH}`, HEFIX_CACHE: join(folder, 'cache') };
  return {
    breakProgram: (name: string) => writeFile(`${broken}.${name}`, ''),
    async exec() {
      await writeFile(log, '');
      const run = await execa(process.execPath, [packageFile('dist/bin/hefix.js'), 'exec', ...words], {
        ...{ cwd: folder, env },
      });
      const starts = (await readFile(log, 'utf8')).trim().split('\n').sort();
      return { ...JSON.parse(run.stdout), starts };
    },
  };
}

test(
  'the second exec asks for the interpreter and starts judge and candidate, and nothing else',
  needs(bubblewrap),
  async () => {
    const { exec } = await machine();
    expect((await exec()).starts.length).toBeGreaterThan(3);
    const { verdict, isolation, starts } = await exec();
    expect(verdict.kind).toBe('passed');
    expect(isolation).toBe('bubblewrap');
    expect(starts).toEqual(['bwrap', 'bwrap', 'python3']);
  },
);

test('exec finds the next level if bubblewrap stops working', needs(bubblewrap), async () => {
  const { exec, breakProgram } = await machine();
  await exec();
  await breakProgram('bwrap');
  const { verdict, isolation } = await exec();
  expect(verdict.kind).toBe('passed');
  expect(isolation).not.toBe('bubblewrap');
});
