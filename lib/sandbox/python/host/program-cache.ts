import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ensureDirectory } from '../../../files/ensure-directory.ts';
import { writeFileAtomic } from '../../../files/write-file-atomic.ts';

/** Compiled programs by name, as base64 text. */
const programsSchema = z.record(z.string(), z.string());
export type CompiledPrograms = z.infer<typeof programsSchema>;

/** What bundle.py compiled in earlier runs. What is loaded decides verdicts, so only the user's own files count. */
export interface ProgramCache {
  /** The interpreters with an entry for these sources, by the id that bundle.py gives them. */
  readonly ids: readonly string[];
  /** Null if the entry is missing, damaged, or could have been written by another user. */
  read(id: string): Promise<CompiledPrograms | null>;
  /** Failures are ignored: the programs are then compiled again in the next run. */
  write(id: string, programs: CompiledPrograms): Promise<void>;
}

/**
 * Opens the cache in `folder` for the sources in `programs`. A folder that belongs to another user, or that others
 * may write to, is neither read nor written.
 */
export async function openProgramCache(folder: string, programs: string): Promise<ProgramCache> {
  const ending = `-${await hashOf(programs)}.json`;
  const isTrusted = async () => {
    const stats = await lstat(folder).catch(() => null);
    return stats?.isDirectory() === true && isPrivate(stats);
  };
  const names = (await isTrusted()) ? await readdir(folder) : [];
  return {
    ids: names.filter(name => name.endsWith(ending)).map(name => name.slice(0, -ending.length)),
    async read(id) {
      const text = await readPrivate(join(folder, id + ending)).catch(() => '');
      const [sum, json = ''] = text.split('\n', 2);
      return sum === checksum(json) ? programsSchema.parse(JSON.parse(json)) : null;
    },
    async write(id, programs) {
      try {
        await ensureDirectory(dirname(folder));
        await mkdir(folder, { mode: 0o700 }).catch(() => {});
        if (!(await isTrusted())) return;
        const json = JSON.stringify(programs);
        await writeFileAtomic(join(folder, id + ending), `${checksum(json)}\n${json}`, 0o600);
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

async function hashOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.py')).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\n`).update(await readFile(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
