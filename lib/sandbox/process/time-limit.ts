import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** How often a limit may be granted again on a busy system. */
const maxGrants = 4;
/** Milliseconds that are not worth waiting for. */
const negligible = 20;

/** Milliseconds that processes have waited for a processor. */
export type Waited = () => number | Promise<number>;

/**
 * Resolves when a limit is used up: `milliseconds` by the clock, and as long again as `waited` says that the processes
 * had to wait for a processor meanwhile, so that other load does not change a verdict. At most five
 * times the limit. Rejects with an AbortError.
 */
export async function timeLimit(milliseconds: number, waited: Waited, signal: AbortSignal): Promise<void> {
  let granted = 0;
  let next = milliseconds;
  while (next > negligible || granted === 0) {
    await pause(next, undefined, { signal });
    // This process may have had to wait too: what has arrived meanwhile is read first.
    await nextTurn(undefined, { signal });
    if (granted >= maxGrants * milliseconds) return;
    next = Math.min(await waited(), maxGrants * milliseconds) - granted;
    granted += Math.max(next, 1);
  }
}

/** The same for processes that run already: what they have waited before does not count. */
export async function timeLimitFromNow(
  milliseconds: number,
  waited: Waited,
  signal: AbortSignal,
): Promise<void> {
  const before = await waited();
  await timeLimit(milliseconds, async () => (await waited()) - before, signal);
}

/**
 * The longest time in milliseconds that a process, or one that it started, has waited for a processor since its start.
 * 0 where the system does not tell: it is Linux that counts it, for processes that have not ended.
 */
export function processorWait(pid: number | undefined): number {
  if (pid === undefined) return 0;
  // Nanoseconds on a processor, nanoseconds in the queue for one, turns.
  const own = Number(read(`/proc/${pid}/schedstat`).split(' ')[1] ?? 0) / 1e6;
  return Math.max(own, ...childrenOf(pid).map(processorWait));
}

/** The number, in this process's namespace, of a process that one below `root` started and knows as `inner`. */
export function pidBelow(root: number, inner: number): number | undefined {
  const depth = numbersOf(root).length;
  for (const child of childrenOf(root)) {
    if (numbersOf(child)[depth - 1] === inner) return child;
    const found = pidBelow(child, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A process's numbers in all namespaces that it is in, outermost first. */
function numbersOf(pid: number): number[] {
  const line = /^NSpid:\t(.*)$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return line === undefined ? [] : line.split(/\s+/).map(Number);
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
