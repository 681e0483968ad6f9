import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { outNotWritable } from '../../files/errors.ts';
import { namesIn, realPath } from '../../files/paths.ts';
import { parseJson, readUntrusted, readUntrustedText } from '../../files/untrusted-file.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';

/** The user's confirmations, one file for each folder, by its real path and the hash of its settings. */

type Environment = Readonly<Record<string, string | undefined>>;

const entrySchema = z.object({ folder: z.string(), hash: z.string(), since: z.string() });
export type TrustedFolder = z.infer<typeof entrySchema>;

/** Whether the user confirmed exactly these settings of this folder. */
export function isTrusted(folder: string, { hash }: FolderSettings, environment: Environment): boolean {
  const real = realPath(resolve(folder));
  const entry = readEntry(fileOf(real, environment));
  return entry?.folder === real && entry.hash === hash;
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
  const entries = namesIn(folder).flatMap(name => readEntry(join(folder, name)) ?? []);
  return entries.sort((a, b) => (a.folder < b.folder ? -1 : 1));
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
    const text = readUntrustedText(dirname(path), basename(path));
    return entrySchema.safeParse(parseJson(text)).data ?? null;
  } catch {
    return null;
  }
}

function isOwn({ uid, mode }: Stats): boolean {
  return uid === process.geteuid?.() && (mode & 0o022) === 0;
}

/** The files by which a folder sets options and variables, as they were read at one moment. */
export interface FolderSettings {
  /** `hefix.config.json`, or else the key `hefix` of package.json, as JSON; null if there is neither. */
  readonly configuration: { readonly path: string; readonly text: string } | null;
  /** `.env`; null if there is none. */
  readonly variables: { readonly path: string; readonly text: string } | null;
  /** Hash of both. */
  readonly hash: string;
}

export function readFolderSettings(folder: string): FolderSettings {
  const configuration = configurationOf(folder);
  const variables = fileIn(folder, '.env');
  const hash = createHash('sha256').update(JSON.stringify([configuration?.text, variables?.text]));
  return { configuration, variables, hash: hash.digest('hex') };
}

function configurationOf(folder: string): FolderSettings['configuration'] {
  const contents = fileIn(folder, 'hefix.config.json');
  if (contents !== null) return contents;
  const manifest = fileIn(folder, 'package.json');
  const key = Object(parseJson(manifest?.text ?? '')).hefix as unknown;
  return manifest === null || key === undefined ? null : { ...manifest, text: JSON.stringify(key) };
}

/** Null if there is no such file. Links, pipes, and files that are far too large for settings do not count. */
function fileIn(folder: string, name: string): { readonly path: string; readonly text: string } | null {
  const bytes = readUntrusted(folder, name);
  return bytes === null ? null : { path: join(folder, name), text: bytes.toString('utf8') };
}

/** The user's own configuration: `hefix/config.json` in XDG_CONFIG_HOME, or in `~/.config`. */
export function userConfigPath(environment: Environment): string {
  return join(baseFolder(environment.XDG_CONFIG_HOME, '.config'), 'hefix', 'config.json');
}

/** Where `hefix trust` remembers folders: `hefix/trusted` in XDG_STATE_HOME, or in `~/.local/state`. */
function trustedFoldersPath(environment: Environment): string {
  return join(baseFolder(environment.XDG_STATE_HOME, '.local', 'state'), 'hefix', 'trusted');
}

/** The XDG specification ignores relative paths, which would lie in the current folder. */
function baseFolder(configured: string | undefined, ...below: readonly string[]): string {
  return configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), ...below);
}
