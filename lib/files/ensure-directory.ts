import { existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its parents if they do not exist. Node's own recursive mkdir never returns in a
 * file system that rejects new directories with ENOENT, such as /proc. Rejects with the system's error:
 * EACCES, ENOENT, ENOSPC; ENOTDIR if there is a file with that name.
 */
export async function ensureDirectory(path: string): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) {
    const parent = dirname(path);
    if (parent !== path) await ensureDirectory(parent);
    await mkdir(path).catch(ignoreExisting);
  }
  assertDirectory(path, await stat(path));
}

/** The synchronous version. */
export function ensureDirectorySync(path: string): void {
  if (!existsSync(path)) {
    const parent = dirname(path);
    if (parent !== path) ensureDirectorySync(parent);
    try {
      mkdirSync(path);
    } catch (error) {
      ignoreExisting(error);
    }
  }
  assertDirectory(path, statSync(path));
}

function assertDirectory(path: string, stats: Stats): void {
  if (stats.isDirectory()) return;
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), {
    code: 'ENOTDIR',
    syscall: 'mkdir',
    path,
  });
}

/** Another process may have created it in the meantime. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
