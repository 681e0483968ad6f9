import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * A folder and those above it, unless they exist. Not by `mkdir`'s own `recursive`, which never comes back where
 * a file system has no such folder and takes none, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await exists(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path).catch(error => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
