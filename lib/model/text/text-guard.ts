/** Runs work on text that a model's own files steer: a chat template, a tokenizer's patterns. */
export type TextGuard = <T>(work: () => T) => T;

/**
 * A template can loop and a pattern can backtrack without end, and neither can be stopped from within. So the
 * model's thread counts in memory shared with the main thread: the count is odd while such work goes on.
 */
export function countingGuard(counter: Int32Array): TextGuard {
  return work => {
    Atomics.add(counter, 0, 1);
    try {
      return work();
    } finally {
      Atomics.add(counter, 0, 1);
    }
  };
}

/** Calls `onStuck` once if one piece of such work takes longer than `limitMs`. Returns what ends the watch. */
export function watchCounter(counter: Int32Array, limitMs: number, onStuck: () => void): () => void {
  let seen = Atomics.load(counter, 0);
  let ticks = 0;
  // Ticks, not the clock: time in which this process did not run at all does not count.
  const timer = setInterval(() => {
    const now = Atomics.load(counter, 0);
    ticks = now === seen && now % 2 !== 0 ? ticks + 1 : 0;
    seen = now;
    if (ticks < TICKS) return;
    clearInterval(timer);
    onStuck();
  }, limitMs / TICKS);
  timer.unref();
  return () => clearInterval(timer);
}

const TICKS = 20;
