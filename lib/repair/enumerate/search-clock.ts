import { setImmediate } from 'node:timers/promises';
import type { SearchTime } from '../../../machines/actors.ts';

/** The remaining processor time of a task's search, and how its long computations share the thread. */
export interface SearchClock {
  /** Seconds. */
  left(): number;
  isUp(): boolean;
  spend(seconds: number): void;
  /** Number of candidates that exceeded their steps or time; the more, the lower the limit of the others. */
  overruns: number;
  /** Whether the buggy program is not run before the candidates, since it exceeded its time or ended the process. */
  skipsFirst: boolean;
  /** To be awaited, unless undefined, at each step of a long computation; rejects if aborted. */
  pause(signal?: AbortSignal): Promise<void> | undefined;
  /** Starts a long computation, from which `pause` counts. */
  begin(): void;
  /** Ends it. */
  end(): void;
  /** What is used so far, as plain data to go on from. */
  time(): SearchTime;
  /** Counts work of other threads: its processor time, but no more than its elapsed time, as other tasks may run meanwhile. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** How often a computation pauses for other work, such as Ctrl-C. */
const SLICE_MS = 15;

/** @param from the limit in seconds, or what was used before; @param now milliseconds of a monotonic clock, for time slices */
export function createSearchClock(
  from: number | SearchTime,
  now: () => number = () => performance.now(),
  processor: () => number = processorTime,
): SearchClock {
  const begun = typeof from === 'number' ? { limit: from, spent: 0, overruns: 0, skipsFirst: false } : from;
  const { limit } = begun;
  let { spent } = begun;
  // Set by `begin`, since asking for the processor time is expensive and most tasks start no long computation.
  let [sliceStart, used] = [0, 0];
  const takeStock = () => {
    const time = processor();
    spent += (time - used) / 1e6;
    used = time;
  };
  return {
    overruns: begun.overruns,
    skipsFirst: begun.skipsFirst,
    time() {
      return { limit, spent, overruns: this.overruns, skipsFirst: this.skipsFirst };
    },
    left: () => Math.max(0, limit - spent),
    isUp: () => spent >= limit,
    spend(more) {
      spent += more;
    },
    begin() {
      sliceStart = now();
      used = processor();
    },
    end: takeStock,
    async during(work) {
      const [started, before] = [now(), processor()];
      try {
        return await work();
      } finally {
        spent += Math.min((processor() - before) / 1e6, (now() - started) / 1000);
      }
    },
    pause(signal) {
      if (now() - sliceStart < SLICE_MS) return undefined;
      takeStock();
      return setImmediate().then(() => {
        signal?.throwIfAborted();
        sliceStart = now();
        used = processor();
      });
    },
  };
}

/**
 * Collects what a long computation yields, without nulls. It pauses for other work in between, and ends early
 * at the time limit. Rejects with the signal's reason soon after an abort.
 */
export async function collected<T>(
  computation: Iterable<T | null>,
  clock: SearchClock,
  signal?: AbortSignal,
): Promise<T[]> {
  const values: T[] = [];
  clock.begin();
  try {
    for (const value of computation) {
      if (value !== null) values.push(value);
      const paused = clock.pause(signal);
      if (paused) await paused;
      if (paused && clock.isUp()) break;
    }
  } finally {
    clock.end();
  }
  return values;
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
