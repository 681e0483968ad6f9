import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Maximum growth of this process under an attack, in bytes. */
export const maxGrowth = 64 * 2 ** 20;
/** Extra memory that this process may hold until garbage collection, which runs later on a busy system. */
const maxGarbage = 64 * 2 ** 20;

export interface MemoryWatch {
  /** How far the peak memory of this process has risen above its initial value. */
  growth(): number;
}

/** Bytes in use without garbage, independent of load. */
export function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Watches the total memory of this process, minus a usual amount of uncollected garbage. */
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
