import { existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its parents unless they exist. Node's own recursive mkdir never returns in a file
 * system that refuses new directories with ENOENT, such as /proc.
 * Rejects with the system's error: EACCES, ENOENT, ENOSPC; ENOTDIR if a file has that name.
 */
export async function ensureDirectory(path: string): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) {
    const parent = dirname(path);
    if (parent !== path) await ensureDirectory(parent);
    await mkdir(path).catch(ignoreExisting);
  }
  assertDirectory(path, await stat(path));
}

/** The same for callers that cannot wait. */
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

function assertDirectory(path: string, found: Stats): void {
  if (found.isDirectory()) return;
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), {
    code: 'ENOTDIR',
    syscall: 'mkdir',
    path,
  });
}

/** Another process may have created it at the same moment. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
