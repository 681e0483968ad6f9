import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { boundaryOf, reachesAbove } from '../../../lib/fix/project/boundary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the home folder is a project only if it is asked for', async () => {
  const home = await realpath(await temporaryFolder());
  const project = join(home, 'project');
  await mkdir(project);
  await mkdir(join(home, '.git'));
  await writeFile(join(home, 'pyproject.toml'), '');
  expect([boundaryOf(project), reachesAbove(project)]).toEqual([home, true]);
  vi.stubEnv('HOME', home);
  expect([boundaryOf(project), reachesAbove(project)]).toEqual([project, false]);
  expect(boundaryOf(home)).toBe(home);
});
