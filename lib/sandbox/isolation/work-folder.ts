import {
  chownSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { isAlive } from '../../files/is-alive.ts';
import { isCandidatesUser } from './unprivileged-user.ts';

/** Work folders on the host, for jails that cannot have one of their own: `hefix-jail-<pid>-<random>`. */
const prefix = 'hefix-jail-';

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

/**
 * Removes the folders of processes that are gone, which a kill -9 leaves behind. Anyone may put something of that
 * name into the folder for temporary files: what is no folder, or belongs to a stranger, stays.
 */
export async function sweepWorkFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN);
    const path = join(tmpdir(), name);
    if (Number.isInteger(pid) && !isAlive(pid) && isOurs(path)) await remove(path);
  }
}

/** A folder, not a link to one, of this user or of one that root's candidates run as. */
function isOurs(path: string): boolean {
  try {
    const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const [opened, named] = [fstatSync(folder), lstatSync(path)];
      const isSame = opened.ino === named.ino && opened.dev === named.dev;
      return isSame && isOwn(opened.uid);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    // Its owner has closed it, or it is no folder, or gone.
    const named = lstatSync(path, { throwIfNoEntry: false });
    return isClosed(error) && named?.isDirectory() === true && isOwn(named.uid);
  }
}

function isOwn(uid: number): boolean {
  return uid === process.geteuid?.() || (process.geteuid?.() === 0 && isCandidatesUser(uid));
}

function isClosed(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EACCES';
}

/**
 * By the system's own tools, which follow no link, take little memory for a folder of any size and walk one nested
 * deeper than a path can be long. What stays is another user's, which only its owner may remove.
 */
async function remove(path: string): Promise<void> {
  const removeAll = () => execa('rm', ['-rf', path]);
  try {
    // Most are empty, and a process costs more than a system call.
    await rmdir(path).catch(removeAll);
  } catch {
    await openFolders(path).catch(() => {});
    await removeAll().catch(() => {});
  }
}

/**
 * Opens the folders that a candidate has closed: folders alone, for a file may be one more name of another file.
 * Root needs none of it.
 */
async function openFolders(path: string): Promise<void> {
  if (process.geteuid?.() === 0) return;
  const closed = ['-type', 'd', '!', '-perm', '-700'];
  await execa('find', ['-P', path, ...closed, '-execdir', 'chmod', 'u+rwx', '{}', ';']);
}
