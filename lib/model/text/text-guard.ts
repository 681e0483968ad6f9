/** Runs text processing that a model's own files control: a tokenizer's patterns. */
export type TextGuard = <T>(work: () => T) => T;

/**
 * A pattern may backtrack forever, and cannot be stopped from within. The
 * model's thread therefore increments a counter in shared memory: it is odd while such work is running.
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

/**
 * Calls `onStuck` once if a single piece of work takes longer than `limitMs`. Returns a function that stops
 * watching.
 */
export function watchCounter(counter: Int32Array, limitMs: number, onStuck: () => void): () => void {
  let seen = Atomics.load(counter, 0);
  let ticks = 0;
  // Ticks, not the clock: time while this process was suspended does not count.
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
