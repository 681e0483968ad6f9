import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureDirectory } from './ensure-directory.ts';

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
  while (!(await create(path))) {
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

async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid} ${hostname()}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null) return false;
  if (Date.now() - found.mtimeMs > GONE_MS) return true;
  const [pid, host] = (await readFile(path, 'utf8').catch(() => '')).split(' ');
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
