import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ensureDirectorySync } from '../../files/ensure-directory.ts';
import { isAlive } from '../../files/lock.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { programsNotStarted, temporaryFolderUnusable } from '../errors.ts';
import { isCandidatesUser } from './mounts.ts';

const execute = promisify(execFile);

/** Work folders on the host, for jails that cannot have their own: `hefix-jail-<pid>-<random>`. */
const prefix = 'hefix-jail-';

export interface WorkFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Folders that still exist; they are removed when this process exits. */
const live = new Set<string>();

/** Where built programs are kept if the folder for temporary files is mounted with `noexec`. */
const otherPlace = () => join(cacheFolder(process.env), 'programs');

/**
 * A work folder whose programs can be started.
 * @throws HefixError `TEMPORARY_FOLDER_UNUSABLE` or `PROGRAMS_NOT_STARTED`
 */
export function createProgramFolder(): WorkFolder {
  const folder = createWorkFolder(null);
  if (startsPrograms(folder.path)) return folder;
  void folder.remove();
  const place = otherPlace();
  try {
    ensureDirectorySync(place);
    const other = createWorkFolder(null, place);
    if (startsPrograms(other.path)) return other;
    void other.remove();
  } catch (cause) {
    throw programsNotStarted([tmpdir(), place], cause);
  }
  throw programsNotStarted([tmpdir(), place]);
}

/** Even root has no access to execute a file where nothing may be executed. */
export function startsPrograms(folder: string): boolean {
  const file = join(folder, 'program');
  writeFileSync(file, '');
  chmodSync(file, 0o700);
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(file);
  }
}

/** @throws HefixError `TEMPORARY_FOLDER_UNUSABLE` */
export function createWorkFolder(owner: number | null, place = tmpdir()): WorkFolder {
  if (live.size === 0) {
    process.removeListener('exit', removeLive);
    process.once('exit', removeLive);
  }
  const path = newFolder(place);
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

function newFolder(place: string): string {
  try {
    return mkdtempSync(join(place, `${prefix}${process.pid}-`));
  } catch (error) {
    throw temporaryFolderUnusable(place, error);
  }
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
 * Removes the folders of processes that have ended, such as after kill -9. Anyone may create such a name in
 * the temporary folder, so entries that are not folders, or belong to other users, stay.
 */
export async function sweepWorkFolders(): Promise<void> {
  for (const path of [tmpdir(), otherPlace()].flatMap(pathsIn)) {
    const name = basename(path);
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN);
    if (Number.isInteger(pid) && !isAlive(pid) && isOurs(path)) await remove(path);
  }
}

/** None if the folder is missing or cannot be read. */
function pathsIn(place: string): string[] {
  try {
    return readdirSync(place).map(name => join(place, name));
  } catch {
    return [];
  }
}

/** A folder, not a link, that belongs to this user or to one that root's candidates run as. */
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
    // It was closed by its owner, is not a folder, or no longer exists.
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
 * Uses system tools, which follow no links, need little memory for folders of any size and can walk folders
 * nested deeper than a path can be long.
 */
async function remove(path: string): Promise<void> {
  const removeAll = () => execute('rm', ['-rf', path]);
  try {
    // Most are empty, and a process costs more than a system call.
    await rmdir(path).catch(removeAll);
  } catch {
    await openFolders(path).catch(() => {});
    await removeAll().catch(() => {});
  }
}

/**
 * Opens folders that a candidate has closed; not files, which may be hard links to other files. Root does not
 * need this.
 */
async function openFolders(path: string): Promise<void> {
  if (process.geteuid?.() === 0) return;
  const closed = ['-type', 'd', '!', '-perm', '-700'];
  await execute('find', ['-P', path, ...closed, '-execdir', 'chmod', 'u+rwx', '{}', ';']);
}
