import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureDirectory } from './ensure-directory.ts';
import { removeUnused, writeFileAtomic } from './write-file-atomic.ts';

/** What earlier commands found out. What is read here may decide verdicts, so only the user's own files count. */
export interface OwnCache {
  /** Null if the entry is missing, damaged, or could have been written by another user. */
  read(key: string): Promise<unknown>;
  /** Failures are ignored: the value is then determined again by the next command. */
  write(key: string, value: unknown): Promise<void>;
}

/**
 * Values as JSON in `folder`. A folder that others own or may write to is neither read nor written. The first write
 * removes values that are older than 30 days: those in use are then found out again.
 */
export function openOwnCache(folder: string): OwnCache {
  const fileOf = (key: string) => join(folder, `${digest(key).slice(0, 32)}.json`);
  const isTrusted = async () => {
    const stats = await lstat(folder).catch(() => null);
    return stats?.isDirectory() === true && isPrivate(stats);
  };
  let isTidy = false;
  return {
    async read(key) {
      if (!(await isTrusted())) return null;
      const text = await readPrivate(fileOf(key)).catch(() => '');
      const [sum, json = ''] = text.split('\n', 2);
      return sum === digest(json) ? JSON.parse(json) : null;
    },
    async write(key, value) {
      try {
        await ensureDirectory(dirname(folder));
        await mkdir(folder, { mode: 0o700 }).catch(() => {});
        if (!(await isTrusted())) return;
        if (!isTidy) await removeUnused(folder);
        isTidy = true;
        const json = JSON.stringify(value);
        await writeFileAtomic(fileOf(key), `${digest(json)}\n${json}`, 0o600);
      } catch {
        // A full disk, or a folder that cannot be written to.
      }
    },
  };
}

/** Belongs to this user, and nobody else may write to it. */
function isPrivate({ uid, mode }: Stats): boolean {
  return uid === process.geteuid?.() && (mode & 0o022) === 0;
}

async function readPrivate(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const stats = await file.stat();
    return stats.isFile() && isPrivate(stats) ? await file.readFile('utf8') : '';
  } finally {
    await file.close();
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The folder for data that can be fetched or built again: HEFIX_CACHE, or `hefix` in the user's cache folder.
 */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const { HEFIX_CACHE, XDG_CACHE_HOME } = environment;
  if (HEFIX_CACHE) return HEFIX_CACHE;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hefix');
}
