import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parseRunOptions } from '../../../lib/options/tables/run-options.ts';
import { openSandbox } from '../../../lib/run/open-parts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { trusting } from '../../support/trust.ts';

test('the container engine can be set in .env of a trusted folder, and of no other', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, '.env'), 'DOCKER_BIN=engine-of-the-file\n');
  vi.stubEnv('DOCKER_BIN', undefined);
  vi.stubEnv('PATH', '/nowhere');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  try {
    await expect(openSandbox(parseRunOptions({ sandbox: 'docker' }), 'python')).rejects.toMatchObject({
      code: 'DOCKER_MISSING',
      message: expect.not.stringContaining('engine-of-the-file'),
    });
    vi.stubEnv('XDG_STATE_HOME', (await trusting(folder)).XDG_STATE_HOME);
    await expect(openSandbox(parseRunOptions({ sandbox: 'docker' }), 'python')).rejects.toMatchObject({
      code: 'DOCKER_MISSING',
      message: expect.stringContaining('engine-of-the-file'),
    });
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
});

test('--isolation does not apply to containers', async () => {
  const options = parseRunOptions({ sandbox: 'docker', isolation: 'ulimit' });
  await expect(openSandbox(options, 'python')).rejects.toThrow(
    '--isolation and --sandbox docker cannot be combined.',
  );
});
