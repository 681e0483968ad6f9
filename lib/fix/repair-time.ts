import type { StartTimer } from '../core/async.ts';

/** The time limit of a repair. */
export interface RepairTime {
  /** Starts it; nothing if it has been started. */
  start(): void;
  /** What this takes is not part of the time. */
  untimed<Result>(work: Promise<Result>): Promise<Result>;
  end(): void;
}

interface Clock {
  /** Milliseconds. */
  readonly now: () => number;
  readonly startTimer: StartTimer;
}

/** @param onUp called once when the time is up, unless it has ended before */
export function createRepairTime(seconds: number, onUp: () => void, { now, startTimer }: Clock): RepairTime {
  let isStarted = false;
  let isOver = false;
  let waiting = 0;
  let left = seconds * 1000;
  let since = 0;
  let stop: (() => void) | null = null;
  const run = (): void => {
    if (!isStarted || isOver || waiting > 0) return;
    since = now();
    stop = startTimer(() => {
      isOver = true;
      onUp();
    }, left);
  };
  const pause = (): void => {
    if (stop) left = Math.max(0, left - (now() - since));
    stop?.();
    stop = null;
  };
  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      run();
    },
    async untimed(work) {
      waiting++;
      pause();
      try {
        return await work;
      } finally {
        waiting--;
        run();
      }
    },
    end() {
      isOver = true;
      pause();
    },
  };
}
