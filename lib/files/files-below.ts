import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The regular files in a folder and the folders in it; none if it cannot be read. Links are not followed. */
export async function filesBelow(folder: string): Promise<Stats[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter(entry => entry.isFile());
  const stats = await Promise.all(
    files.map(({ parentPath, name }) => lstat(join(parentPath, name)).catch(() => null)),
  );
  return stats.filter(each => each !== null);
}
