import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ensureDirectory } from './ensure-directory.ts';
import { outLocked } from './errors.ts';
import { readRegularText } from './untrusted-file.ts';

/**
 * Prevents two runs from writing the same file. The lock is a file next to it that names its holder, so that
 * the lock of a killed run is recognised and replaced. A holder on another host cannot be checked and
 * counts as alive. The package proper-lockfile does not say who holds a lock, and takes it from a process that was
 * suspended for some seconds.
 * @throws HefixError if another live run holds it.
 * @returns a function that releases the lock.
 */
export async function lock(path: string): Promise<() => Promise<void>> {
  const lockPath = `${path}.lock`;
  const identity = JSON.stringify({ pid: process.pid, host: hostname(), started: startOfProcess() });
  while (!(await create(lockPath, identity))) {
    const contents = await read(lockPath);
    if (contents === null) continue;
    const holder = holderOf(contents);
    if (holder === null && (await age(lockPath)) < 2000) await wait(20);
    else if (holder !== null && isHeld(holder))
      throw outLocked(path, `process ${holder.pid} on ${holder.host}`);
    else await takeAway(lockPath, contents, path);
  }
  return () => rm(lockPath, { force: true });
}

/** Removes the locks that killed runs left on files of a folder. Failures are ignored. */
export async function removeDeadLocks(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.lock')) continue;
    const path = join(folder, name.slice(0, -'.lock'.length));
    const contents = await read(`${path}.lock`).catch(() => null);
    const holder = contents === null ? null : holderOf(contents);
    if (contents !== null && holder !== null && !isHeld(holder))
      await takeAway(`${path}.lock`, contents, path).catch(() => {});
  }
}

/** Whether a live run, on this or another host, holds it. */
export async function isLocked(path: string): Promise<boolean> {
  const contents = await read(`${path}.lock`).catch(() => null);
  const holder = contents === null ? null : holderOf(contents);
  return holder !== null && isHeld(holder);
}

const holderSchema = z.object({ pid: z.number(), host: z.string(), started: z.number() });

async function create(lockPath: string, identity: string): Promise<boolean> {
  try {
    await writeFile(lockPath, identity, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function read(lockPath: string): Promise<string | null> {
  try {
    return await readRegularText(lockPath, MAX_BYTES);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Removes a dead run's lock; the rename lets only one of several runs succeed. */
async function takeAway(lockPath: string, contents: string, path: string): Promise<void> {
  const aside = `${lockPath}.${process.pid}`;
  try {
    await rename(lockPath, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const taken = await readRegularText(aside, MAX_BYTES);
  if (taken !== contents) {
    await rename(aside, lockPath);
    throw outLocked(path, 'which started at the same moment');
  }
  await rm(aside);
}

type Holder = z.infer<typeof holderSchema>;

/** Null while the holder is writing its name, and permanently if it was killed at that moment. */
function holderOf(contents: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(contents));
  } catch {
    return null;
  }
}

/** Milliseconds since the file was written; 0 if it is gone. */
async function age(path: string): Promise<number> {
  const stats = await stat(path).catch(() => null);
  return stats === null ? 0 : Date.now() - stats.mtimeMs;
}

function isHeld({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  // Processes in containers often get the same pid again: the killed run's may equal our own.
  if (pid === process.pid) return Math.abs(started - startOfProcess()) < 1000;
  return isAlive(pid);
}

/** Milliseconds since 1970. */
function startOfProcess(): number {
  return Math.round(Date.now() - process.uptime() * 1000);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Runs `action` while no other hefix process holds the lock. The holder touches its lock file every two
 * seconds; a lock that has not been touched for twenty seconds, or whose process no longer exists, is stale.
 * The lock only avoids duplicate work: `action` must be safe even if two processes run it at once. Rejects
 * with the signal's reason if aborted while waiting. The package proper-lockfile does not notice that a holder's process
 * no longer exists, and would wait for it.
 */
export async function withLock<T>(
  path: string,
  signal: AbortSignal | undefined,
  action: () => Promise<T>,
): Promise<T> {
  await ensureDirectory(dirname(path));
  while (!(await createNew(path))) {
    signal?.throwIfAborted();
    if (await isLeftBehind(path)) await rm(path, { force: true });
    else await wait(POLL_MS);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  try {
    return await action();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { force: true });
  }
}

const HEARTBEAT_MS = 2_000;
const GONE_MS = 20_000;
const POLL_MS = 100;

async function createNew(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid} ${hostname()}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) return false;
  if (Date.now() - stats.mtimeMs > GONE_MS) return true;
  const [pid, host] = (await readRegularText(path, MAX_BYTES).catch(() => '')).split(' ');
  return host === hostname() && !isAlive(Number(pid));
}

/** Whether a process of this system still runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Of a lock file, which names a process. */
const MAX_BYTES = 2 ** 16;
