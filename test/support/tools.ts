import { existsSync } from 'node:fs';
import { execa } from 'execa';
import { withLock } from '../../lib/files/lock.ts';
import { packageFile } from '../../lib/files/package.ts';

/** Installs what fixtures/tools/package.json names, if it is not there. @returns the path of a file in it. */
export async function toolFile(path: string): Promise<string> {
  const folder = packageFile('fixtures/tools');
  await withLock(`${folder}/node_modules.lock`, undefined, async () => {
    if (!existsSync(`${folder}/node_modules/.package-lock.json`))
      await execa('npm', ['ci', '--ignore-scripts'], { cwd: folder });
  });
  return `${folder}/node_modules/${path}`;
}
