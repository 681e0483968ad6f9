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
