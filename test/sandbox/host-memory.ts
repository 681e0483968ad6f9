import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By how much an attack may make this process grow, in bytes. */
export const maxGrowth = 64 * 2 ** 20;
/** What this process may hold besides while its collector is late: it comes when it likes, and later on a busy machine. */
const maxGarbage = 64 * 2 ** 20;

export interface MemoryWatch {
  /** By how much the most that this process held has passed what it held in the beginning. */
  growth(): number;
}

/** Bytes in use, without garbage: the same however busy the machine is. */
export function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Watches all memory of this process, garbage that has not been collected taken off as far as it is usual. */
export function watchMemory(): MemoryWatch {
  keptBytes();
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20).unref();
  return {
    growth() {
      clearInterval(timer);
      return Math.max(0, Math.max(peak, process.memoryUsage.rss()) - before - maxGarbage);
    },
  };
}
