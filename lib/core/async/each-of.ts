import { joinSignals } from './signals.ts';

/**
 * Calls `act` for each item, in order, for so many at once. When one rejects or the signal is aborted, no other begins,
 * and the signal of those in progress is aborted; rejects with the reason once these have ended.
 */
export async function eachOf<Item>(
  items: readonly Item[],
  workers: number,
  act: (item: Item, signal: AbortSignal) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const both = joinSignals(signal, failed.signal);
  // All workers draw from the same iterator.
  const queue = items.values();
  const work = async () => {
    for (const item of queue) {
      both.signal.throwIfAborted();
      await act(item, both.signal);
    }
  };
  const working = Array.from({ length: Math.min(Math.max(1, workers), items.length) }, () =>
    work().catch(error => failed.abort(error)),
  );
  await Promise.all(working).finally(both.release);
  both.signal.throwIfAborted();
}
