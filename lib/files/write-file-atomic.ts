import { createHash, randomUUID } from 'node:crypto';
import { lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { outNotWritable } from './errors.ts';
import { isAlive } from './lock.ts';

/**
 * Writes the whole file or nothing: readers never see a partial file, a kill leaves the previous contents,
 * and a failure leaves neither an open handle nor a temporary file. The temporary file of a killed process is removed by
 * the next write into its folder. The package write-file-atomic takes no streams.
 * @param mode permissions of the file; those of new files unless given
 * @throws HefixError (`OUT_NOT_WRITABLE`)
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  mode?: number,
): Promise<void> {
  await removeLeftovers(dirname(path));
  const temporary = temporaryName(path);
  try {
    await writeDurably(temporary, content, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw outNotWritable(path, error);
  }
}

async function writeDurably(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  mode?: number,
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await writeFile(file, content);
    if (mode !== undefined) await file.chmod(mode);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * A name next to a file or folder for what becomes it once it is complete: `a.json.3f0c9a17-4711-<UUID>.tmp`. It names
 * this host and process, so that what a killed process left is recognised.
 */
export function temporaryName(path: string): string {
  return `${path}.${host()}-${process.pid}-${randomUUID()}.tmp`;
}

/**
 * Removes what killed processes left in a folder under such names. A process on another host cannot be checked; it
 * counts as dead after a day. Failures are ignored.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, ofHost, pid] = TEMPORARY.exec(name) ?? [];
    if (ofHost === undefined) continue;
    const path = join(folder, name);
    const isDead = ofHost === host() ? !isAlive(Number(pid)) : await isOld(path, 1);
    if (isDead) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

const TEMPORARY = /\.([0-9a-f]{8})-(\d+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

function host(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

const DAY_MS = 24 * 60 * 60 * 1000;

async function isOld(path: string, days: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > days * DAY_MS;
}

/** Removes entries of a cache, whose names begin with `prefix`, that were not written for 30 days. Failures are ignored. */
export async function removeUnused(folder: string, prefix = ''): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name.startsWith(prefix) && (await isOld(path, 30)))
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
