import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';
import { programFolder, temporaryFolder } from '../support/temporary-folder.ts';

const source = 'def double(x):\n    """\n    >>> double(4)\n    8\n    """\n    return x + 2\n';

test('--write leaves a file alone that was saved while it was repaired', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'numbers_.py'), source);
  // A Python of the user that is also started once the project was copied.
  const own = await programFolder();
  const python = (await execa('python3', ['-c', 'import sys; print(sys.executable)'])).stdout;
  const save = `echo "# saved" >> '${join(cwd, 'numbers_.py')}'`;
  await writeFile(join(own, 'python3'), `#!/bin/sh\n${save}\nexec ${python} "$@"\n`);
  await chmod(join(own, 'python3'), 0o755);
  const args = ['fix', 'numbers_.py', '--write', '--backup', '--no-rank'];
  const env = { PATH: `${own}:${process.env.PATH}` };
  const { exitCode, stdout, stderr } = await hefixHere(args, { cwd, env });
  // The repair itself is not lost.
  expect(stdout).toContain('+    return x * 2');
  expect(stderr).toContain('[FILE_CHANGED]');
  expect(stderr).toMatch(/numbers_\.py was changed since hefix read it; nothing was written\./);
  expect(exitCode).toBe(2);
  expect((await readFile(join(cwd, 'numbers_.py'), 'utf8')).replaceAll('# saved\n', '')).toBe(source);
  expect(await readdir(cwd)).toEqual(['numbers_.py']);
});
