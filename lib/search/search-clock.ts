import { setImmediate } from 'node:timers/promises';

/** How much processor time the search of one task may still take, and how its long computations share the thread. */
export interface SearchClock {
  /** Seconds. */
  left(): number;
  isUp(): boolean;
  spend(seconds: number): void;
  /** Candidates that ran out of steps or time; the more, the less the others get. */
  overruns: number;
  /** To be awaited where it is not undefined, at each step of a long computation; rejects if aborted. */
  pause(signal?: AbortSignal): Promise<void> | undefined;
  /** Begins a long computation, from which `pause` counts. */
  begin(): void;
  /** Ends it. */
  end(): void;
}

/** A computation gives way to others, Ctrl-C among them, so often. */
const SLICE_MS = 15;

/**
 * @param now milliseconds of a clock that only goes forward, for slices
 * @param processor microseconds of processor time
 */
export function createSearchClock(
  seconds: number,
  now: () => number = () => performance.now(),
  processor: () => number = processorTime,
): SearchClock {
  let spent = 0;
  let sliceStart = now();
  let used = processor();
  const takeStock = () => {
    const at = processor();
    spent += (at - used) / 1e6;
    used = at;
  };
  return {
    overruns: 0,
    left: () => Math.max(0, seconds - spent),
    isUp: () => spent >= seconds,
    spend(more) {
      spent += more;
    },
    begin() {
      sliceStart = now();
      used = processor();
    },
    end: takeStock,
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

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
