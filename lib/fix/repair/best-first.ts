/** A search whose better order is still being computed. Resolves with the best item that succeeds. */
export interface BestFirstInput<Item, Success> {
  /** The order used until a better one is known. */
  readonly items: readonly Item[];
  /** The better order once it is known; it may hold more items. Null if there is none. Never rejects. */
  readonly better: Promise<readonly Item[] | null>;
  readonly atOnce: number;
  /** Number of items of the better order to try. */
  readonly count: number;
  /** Null if the item fails. Each item is tried once. */
  readonly attempt: (item: Item, worker: number) => Promise<Success | null>;
  readonly isOver: () => boolean;
  /** Milliseconds that a success waits for the better order. */
  readonly patience: number;
}

/**
 * Tries items, several at a time, while a better order is computed, and returns the success that comes first
 * in that order: everything before it was tried and failed. When the time is up, or no better order arrives,
 * the first success wins. Attempts that cannot change the result may still be running then. Attempts may reject once
 * the time is up.
 */
export async function bestFirst<Item, Success>(
  input: BestFirstInput<Item, Success>,
): Promise<Success | null> {
  const { items, better, atOnce, count, attempt, isOver, patience } = input;
  let order = items;
  let isOrdered = false;
  let isEnough = false;
  const known = better.then(found => {
    order = found ?? items;
    isOrdered = true;
    decide();
  });
  let timer: NodeJS.Timeout | undefined;
  let stopWaiting = (): void => {};
  const waited = new Promise<void>(resolve => {
    stopWaiting = resolve;
  });
  let finish = (): void => {};
  const decided = new Promise<void>(resolve => {
    finish = resolve;
  });
  const started = new Set<Item>();
  const ended = new Set<Item>();
  const successes = new Map<Item, Success>();
  const first = (): Item | undefined => order.find(item => successes.has(item));
  const next = (): Item | undefined => {
    const found = first();
    const until = found === undefined || !isOrdered ? count : Math.min(count, order.indexOf(found));
    return order.slice(0, isOrdered ? until : undefined).find(item => !started.has(item));
  };
  const decide = (): void => {
    const found = first();
    if (found === undefined) return;
    const above = order.slice(0, Math.min(count, order.indexOf(found)));
    if (isEnough || (isOrdered && above.every(item => ended.has(item)))) finish();
  };
  const work = async (worker: number): Promise<void> => {
    while (!isOver() && !isEnough) {
      const item = next();
      if (item === undefined) {
        if (isOrdered) return;
        await Promise.race([known, waited]);
        continue;
      }
      started.add(item);
      const success = await attempt(item, worker).catch(error => {
        if (isOver()) return null;
        throw error;
      });
      ended.add(item);
      if (success !== null) {
        successes.set(item, success);
        timer ??= setTimeout(() => {
          isEnough = !isOrdered;
          stopWaiting();
          decide();
        }, patience);
      }
      decide();
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, (_, worker) => work(worker)));
  // Errors after the decision do not matter.
  all.catch(() => {});
  await Promise.race([all, decided]).finally(() => clearTimeout(timer));
  const found = first();
  return found === undefined ? null : (successes.get(found) ?? null);
}
