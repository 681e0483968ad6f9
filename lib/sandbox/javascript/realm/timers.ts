/** `setTimeout` for an isolate, which has no event loop: timers run one by one while somebody waits for them. */
export interface Timers {
  start(callback: () => void, milliseconds: number, repeat: boolean): number;
  stop(id: number): void;
  /** Sleeps until the next timer is due and runs it; false if there is none. */
  runNext(): boolean;
}

export function createTimers(sleep: (milliseconds: number) => void): Timers {
  const timers = new Map<number, { due: number; callback: () => void; every: number | null }>();
  const { now } = Date;
  let lastId = 0;
  return {
    start(callback, milliseconds, repeat) {
      const wait = milliseconds > 0 ? milliseconds : 1;
      timers.set(++lastId, { due: now() + wait, callback, every: repeat ? wait : null });
      return lastId;
    },
    stop: id => void timers.delete(id),
    runNext() {
      const [next] = [...timers].sort(([, a], [, b]) => a.due - b.due);
      if (!next) return false;
      const [id, timer] = next;
      const wait = timer.due - now();
      if (wait > 0) sleep(wait);
      if (timer.every === null) timers.delete(id);
      else timer.due = now() + timer.every;
      timer.callback();
      return true;
    },
  };
}
