import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { outLocked } from './errors.ts';
import { isAlive } from './file-lock.ts';

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
  const own = JSON.stringify({ pid: process.pid, host: hostname(), started: startOfProcess() });
  while (!(await create(lockPath, own))) {
    const found = await read(lockPath);
    if (found === null) continue;
    const holder = holderOf(found);
    if (holder === null && (await age(lockPath)) < 2000) await wait(20);
    else if (holder !== null && isHeld(holder))
      throw outLocked(path, `process ${holder.pid} on ${holder.host}`);
    else await takeAway(lockPath, found, path);
  }
  return () => rm(lockPath, { force: true });
}

/** Whether a live run, on this or another host, holds it. */
export async function isLocked(path: string): Promise<boolean> {
  const found = await read(`${path}.lock`).catch(() => null);
  const holder = found === null ? null : holderOf(found);
  return holder !== null && isHeld(holder);
}

const holderSchema = z.object({ pid: z.number(), host: z.string(), started: z.number() });

async function create(lockPath: string, own: string): Promise<boolean> {
  try {
    await writeFile(lockPath, own, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function read(lockPath: string): Promise<string | null> {
  try {
    return await readFile(lockPath, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Removes a dead run's lock; the rename lets only one of several runs succeed. */
async function takeAway(lockPath: string, found: string, path: string): Promise<void> {
  const aside = `${lockPath}.${process.pid}`;
  try {
    await rename(lockPath, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const taken = await readFile(aside, 'utf8');
  if (taken !== found) {
    await rename(aside, lockPath);
    throw outLocked(path, 'which started at the same moment');
  }
  await rm(aside);
}

type Holder = z.infer<typeof holderSchema>;

/** Null while the holder is writing its name, and permanently if it was killed at that moment. */
function holderOf(found: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(found));
  } catch {
    return null;
  }
}

/** Milliseconds since the file was written; 0 if it is gone. */
async function age(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found === null ? 0 : Date.now() - found.mtimeMs;
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
