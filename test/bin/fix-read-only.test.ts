import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { hefixHere } from '../support/cli.ts';
import { levelNeeds } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Refused before the search: no test has run. */
const beforeTheSearch = expect.not.stringMatching(/^(?:copy|test) /m);

async function project(): Promise<string> {
  const folder = join(await temporaryFolder(), 'project');
  await mkdir(folder);
  const source = 'def double(x):\n    """\n    >>> double(4)\n    8\n    """\n    return x + 2\n';
  await writeFile(join(folder, 'numbers_.py'), source);
  return folder;
}

const write = ['--write', '--no-rank', '--verbose'];

test.each(['.', 'numbers_.py', 'numbers_.py::double'])(
  '--write is refused in a read-only folder, before the search: %s',
  async target => {
    const cwd = await project();
    await chmod(cwd, 0o555);
    const { exitCode, stderr } = await hefixHere(['fix', target, ...write], { cwd });
    await chmod(cwd, 0o755);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[FILE_READ_ONLY]')]);
    expect(stderr).toEqual(beforeTheSearch);
  },
);

test('--write is refused in a read-only file system, before the search', async ({ skip }) => {
  const cwd = await project();
  const inside = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--chdir', cwd];
  const program = [process.execPath, packageFile('dist/bin/hefix.js'), 'fix', '.', ...write];
  const probe = await execa('bwrap', [...inside, 'true'], { reject: false });
  if (probe.exitCode !== 0) skip(levelNeeds.bubblewrap);
  const { exitCode, stderr } = await execa('bwrap', [...inside, ...program], { reject: false });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[FILE_READ_ONLY]')]);
  expect(stderr).toEqual(beforeTheSearch);
});

test('--patch is refused in a folder that does not exist, before the search', async () => {
  const args = ['fix', '.', '--patch', 'no/hefix.patch', '--no-rank', '--verbose'];
  const { exitCode, stderr } = await hefixHere(args, { cwd: await project() });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Choose another path with --patch.')]);
  expect(stderr).toEqual(beforeTheSearch);
});
