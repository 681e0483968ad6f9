import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Work folders on the host, for cells that cannot have one of their own: `hefix-cell-<pid>-<random>`. */
const prefix = 'hefix-cell-';

export interface WorkFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export function createWorkFolder(owner: number | null): WorkFolder {
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  if (owner !== null) chownSync(path, owner, owner);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Removes the folders of processes that are gone, which a kill -9 leaves behind. */
export function sweepWorkFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN);
    if (Number.isInteger(pid) && !isAlive(pid)) tryToRemove(join(tmpdir(), name));
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

/** Another user's folder stays: only its owner may remove it. */
function tryToRemove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}
