import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  opendirSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reading a folder that others may have written, such as a clone. No link in it is followed: a path is opened one
 * component at a time, so that the file that was checked is the file that is read. Only regular files below a size limit
 * are read, since pipes would block and devices never end.
 */

/** Limit on files with settings: manifests, configuration, caches of other tools. */
export const maxSettingsBytes = 2 ** 20;

/** Limit on saved states of runs and repairs. */
export const MAX_STATE_BYTES = 2 ** 30;

/** File systems have lower limits. */
const MAX_PATH_BYTES = 4096;

/**
 * The content of a file. Null if there is none, a link is on the way, it is not a regular file, or it is larger than the
 * limit.
 * @param folder may itself be reached through links @param path relative to the folder, with `/`
 */
export function readUntrusted(folder: string, path: string, maxBytes = maxSettingsBytes): Buffer | null {
  return withOpened(folder, path, constants.O_NONBLOCK, file => contentOf(file, maxBytes)) ?? null;
}

/** The content of a file at a path that the user named, so that links are followed; null as above. */
export function readNamed(path: string, maxBytes = maxSettingsBytes): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    return contentOf(descriptor, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

/** The content as UTF-8; empty for null. */
export function readUntrustedText(folder: string, path: string, maxBytes = maxSettingsBytes): string {
  return readUntrusted(folder, path, maxBytes)?.toString('utf8') ?? '';
}

/**
 * The entries of a folder, without an order; none if there is no such folder or a link is on the way.
 * @param path relative to `folder`, with `/`; empty for itself @param maxEntries further ones are left out
 */
export function listUntrusted(folder: string, path: string, maxEntries: number): Dirent[] {
  const list = (_: number, opened: string): Dirent[] => {
    const entries = opendirSync(opened, { bufferSize: 256 });
    const listed: Dirent[] = [];
    try {
      let entry = entries.readSync();
      for (; entry !== null && listed.length < maxEntries; entry = entries.readSync()) listed.push(entry);
    } finally {
      entries.closeSync();
    }
    return listed;
  };
  return withOpened(folder, path, constants.O_DIRECTORY, list) ?? [];
}

/**
 * Opens a path without following links, and gives its descriptor and a path that leads to the opened file or folder.
 * Undefined if the system refuses any of it.
 */
function withOpened<Result>(
  folder: string,
  path: string,
  flags: number,
  use: (descriptor: number, opened: string) => Result,
): Result | undefined {
  const parts = path === '' ? [] : path.split('/');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || parts.some(part => /^\.{0,2}$/.test(part)))
    return undefined;
  let descriptor: number | undefined;
  try {
    if (process.platform === 'darwin') {
      const whole = join(realpathSync.native(folder), path);
      descriptor = openSync(whole, flags | NO_LINKS_ON_MACOS);
      return use(descriptor, whole);
    }
    descriptor = openSync(folder, parts.length === 0 ? flags : constants.O_DIRECTORY);
    for (const [index, part] of parts.entries()) {
      const above = descriptor;
      const wanted = index === parts.length - 1 ? flags : constants.O_DIRECTORY;
      descriptor = openSync(`${placeOf(above)}/${part}`, wanted | constants.O_NOFOLLOW);
      closeSync(above);
    }
    return use(descriptor, placeOf(descriptor));
  } catch (error) {
    // Not the errors of programs: a NUL in a path is one of the system here.
    if (Object(error).code === undefined) throw error;
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** O_NOFOLLOW_ANY of fcntl.h, which Node does not name: opening fails if any component of the path is a link. */
const NO_LINKS_ON_MACOS = 0x2000_0000;

/** Linux resolves names below this path in the opened folder, as openat(2) does, which Node does not offer. */
function placeOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** Null for what is not a regular file, or has more bytes than the limit. */
function contentOf(descriptor: number, maxBytes: number): Buffer | null {
  const stats = fstatSync(descriptor);
  if (!stats.isFile() || stats.size > maxBytes) return null;
  const pieces: Buffer[] = [];
  // The file may be written to meanwhile, and some file systems do not tell sizes.
  for (let total = 0; total <= maxBytes; ) {
    const piece = Buffer.allocUnsafe(Math.max(stats.size - total, 4096));
    const count = readSync(descriptor, piece);
    if (count === 0) return Buffer.concat(pieces, total);
    pieces.push(piece.subarray(0, count));
    total += count;
  }
  return null;
}

/**
 * Reading a file at a path that the user or hefix itself named, so that links are followed. Only regular files are
 * opened: a pipe would block until somebody writes to it, which no signal ends, and a device never ends.
 */

/** Opens a regular file for reading. Rejects with the system's error, or with an Error that says what else it is. */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(file.fd).isFile()) return file;
  await file.close();
  throw new Error('it is not a regular file');
}

/** The content of a regular file. Rejects as `openRegular` does, and for a file of more bytes than the limit. */
export async function readRegular(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const pieces: Buffer[] = [];
    // The file may be written to meanwhile, and some file systems do not tell sizes.
    for (let total = 0; Math.max(total, size) <= maxBytes; ) {
      // Not from a pool: parsers of Parquet take the memory behind a buffer as the file.
      const piece = Buffer.allocUnsafeSlow(size > total ? size - total : 4096);
      const { bytesRead } = await file.read(piece);
      if (bytesRead === 0) return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      pieces.push(piece.subarray(0, bytesRead));
      total += bytesRead;
    }
    throw new Error(`it has more than ${Math.floor(maxBytes / 2 ** 20)} MiB`);
  } finally {
    await file.close();
  }
}

/** The content as UTF-8. */
export async function readRegularText(path: string, maxBytes: number): Promise<string> {
  return (await readRegular(path, maxBytes)).toString('utf8');
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
