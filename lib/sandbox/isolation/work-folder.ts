import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Work folders on the host, for cells that cannot have one of their own: `hefix-cell-<pid>-<random>`. */
const prefix = 'hefix-cell-';

export interface WorkFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Those that are not removed yet; what is left when this process exits in a hurry goes then. */
const live = new Set<string>();

export function createWorkFolder(owner: number | null): WorkFolder {
  if (live.size === 0) {
    process.removeListener('exit', removeLive);
    process.once('exit', removeLive);
  }
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  live.add(path);
  if (owner !== null) chownSync(path, owner, owner);
  return {
    path,
    async remove() {
      live.delete(path);
      await remove(path);
    },
  };
}

function removeLive(): void {
  for (const path of live) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // The next start sweeps it.
    }
  }
}

/** Removes the folders of processes that are gone, which a kill -9 leaves behind. */
export async function sweepWorkFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN);
    if (Number.isInteger(pid) && !isAlive(pid)) await remove(join(tmpdir(), name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * By the system's own tools, which take little memory for a folder of any size and walk one nested deeper than a
 * path can be long. What stays was closed by the candidate, or is another user's, which only its owner may remove.
 */
async function remove(path: string): Promise<void> {
  const run = promisify(execFile);
  const removeAll = () => run('rm', ['-rf', path]);
  try {
    // Most are empty, and a process costs more than a system call.
    await rmdir(path).catch(removeAll);
  } catch {
    await run('chmod', ['-R', 'u+rwX', path]).catch(() => {});
    await removeAll().catch(() => {});
  }
}
