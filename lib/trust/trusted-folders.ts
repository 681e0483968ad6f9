import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { ensureDirectory } from '../files/ensure-directory.ts';
import { outNotWritable } from '../files/errors.ts';
import { parseJson } from '../files/parse-json.ts';
import { namesIn, realPath } from '../files/paths.ts';
import { writeFileAtomic } from '../files/write-file-atomic.ts';
import { type FolderSettings, trustedFoldersPath } from './folder-settings.ts';

/** The user's confirmations, one file for each folder, by its real path and the hash of its settings. */

type Environment = Readonly<Record<string, string | undefined>>;

const entrySchema = z.object({ folder: z.string(), hash: z.string(), since: z.string() });
export type TrustedFolder = z.infer<typeof entrySchema>;

/** Whether the user confirmed exactly these settings of this folder. */
export function isTrusted(folder: string, { hash }: FolderSettings, environment: Environment): boolean {
  const real = realPath(resolve(folder));
  const found = readEntry(fileOf(real, environment));
  return found?.folder === real && found.hash === hash;
}

/** @throws HefixError (`OUT_NOT_WRITABLE`) */
export async function trustFolder(
  folder: string,
  { hash }: FolderSettings,
  environment: Environment,
  now: Date,
): Promise<void> {
  const real = realPath(resolve(folder));
  const path = fileOf(real, environment);
  try {
    await ensureDirectory(dirname(dirname(path)));
    await mkdir(dirname(path), { mode: 0o700, recursive: true });
  } catch (cause) {
    throw outNotWritable(path, cause);
  }
  const entry: TrustedFolder = { folder: real, hash, since: now.toISOString() };
  await writeFileAtomic(path, `${JSON.stringify(entry)}\n`, 0o600);
}

/** The folder may be gone. @returns whether it was trusted, with these settings or others */
export async function forgetFolder(folder: string, environment: Environment): Promise<boolean> {
  const path = fileOf(realPath(resolve(folder)), environment);
  const wasThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  await rm(path, { force: true });
  return wasThere;
}

/** In the order of their paths. */
export function trustedFolders(environment: Environment): TrustedFolder[] {
  const folder = trustedFoldersPath(environment);
  const found = namesIn(folder).flatMap(name => readEntry(join(folder, name)) ?? []);
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function fileOf(real: string, environment: Environment): string {
  const name = createHash('sha256').update(real).digest('hex').slice(0, 32);
  return join(trustedFoldersPath(environment), `${name}.json`);
}

/** Null unless the file and its folder belong to this user, and nobody else may write to them. */
function readEntry(path: string): TrustedFolder | null {
  try {
    if (!isOwn(lstatSync(dirname(path)))) return null;
    const stats = lstatSync(path);
    if (!stats.isFile() || !isOwn(stats)) return null;
    return entrySchema.safeParse(parseJson(readFileSync(path, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

function isOwn({ uid, mode }: Stats): boolean {
  return uid === process.geteuid?.() && (mode & 0o022) === 0;
}
