/** Things that take time to start, started ahead of their use; each is used once. */
export interface WarmPool<T> {
  /** One that is ready, or a new one. */
  take(): T;
  /** Starts as many as are missing. */
  refill(): void;
  /** Takes all out, for their end. */
  drain(): T[];
}

export function createWarmPool<T>(
  size: number,
  start: () => T,
  isUsable: (item: T) => boolean,
  discard: (item: T) => void,
): WarmPool<T> {
  const ready: T[] = [];
  return {
    take() {
      for (let item = ready.shift(); item !== undefined; item = ready.shift()) {
        if (isUsable(item)) return item;
        discard(item);
      }
      return start();
    },
    refill() {
      while (ready.length < size) ready.push(start());
    },
    drain: () => ready.splice(0),
  };
}
