/** What takes time to start is started before it is needed; each is used once. */

/** Keeps some ready. */
export interface WarmPool<T> {
  /** One that is ready, or a new one. */
  take(): T;
  /** Starts as many as are missing. */
  refill(): void;
  /** Takes all out, to be ended. */
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

/** Several that are started together, which is cheaper than one by one. */
export interface Batch<T> {
  /** The next one; undefined if all are taken or the batch has died. */
  take(): T | undefined;
  /** How many are left to take. */
  left(): number;
  /** Whether its processes are gone. */
  isOver(): boolean;
  /** Resolves once the processes are gone. */
  destroy(): Promise<void>;
}

/** One batch after the other. */
export interface Batches<T> {
  take(): T;
  /** Starts a batch if `spare` or fewer are left. */
  refill(): void;
  close(): Promise<void>;
}

export function createBatches<T>(startBatch: () => Batch<T>, spare: number): Batches<T> {
  let batches = [startBatch()];
  return {
    take() {
      const one = batches.find(batch => batch.left() > 0)?.take();
      if (one) return one;
      const batch = startBatch();
      batches.push(batch);
      const first = batch.take();
      if (!first) throw new Error('a new batch is empty');
      return first;
    },
    refill() {
      batches = batches.filter(batch => !batch.isOver());
      const left = batches.reduce((total, batch) => total + batch.left(), 0);
      if (left <= spare) batches.push(startBatch());
    },
    async close() {
      await Promise.all(batches.map(batch => batch.destroy()));
    },
  };
}
