import type { Trial } from '../../../machines/actors.ts';
import { isPassing, unfinished } from '../../../machines/pool.ts';

export interface InOrderInput<Item> {
  readonly items: readonly Item[];
  readonly atOnce: number;
  readonly attempt: (item: Item, worker: number) => Promise<Trial>;
  /** No more items are started once it settles; null to stop at the first that passes. */
  readonly until: Promise<unknown> | null;
  /** Its abort makes attempts reject. */
  readonly signal: AbortSignal;
}

/**
 * Tries items in their order, several at a time. Resolves with the results up to the first that passes; with `until`,
 * with those known by then. Attempts that cannot change the result may still be running. After an abort, the first
 * item that passed wins, and those before it count as failed.
 */
export async function inOrder<Item>(input: InOrderInput<Item>): Promise<Trial[]> {
  const { items, atOnce, attempt, until, signal } = input;
  const trials: (Trial | null)[] = items.map(() => null);
  let next = 0;
  return await new Promise((resolve, reject) => {
    const finish = (count: number): void => {
      next = items.length;
      resolve(trials.slice(0, count).map(trial => trial ?? unfinished));
    };
    const fail = (error: unknown): void => {
      const passing = trials.findIndex(isPassing);
      if (signal.aborted && passing !== -1) finish(passing + 1);
      else reject(error);
    };
    let isClosed = false;
    const decide = (): void => {
      const running = trials.indexOf(null);
      const ended = running === -1 ? items.length : running;
      const passing = trials.findIndex(isPassing);
      if (until === null && passing !== -1 && passing < ended) finish(passing + 1);
      else if (until === null ? ended === items.length : isClosed && passing <= ended) finish(ended);
    };
    const work = async (worker: number): Promise<void> => {
      while (next < items.length) {
        const at = next++;
        const item = items[at];
        if (item === undefined) return;
        trials[at] = await attempt(item, worker);
        decide();
      }
    };
    for (let worker = 0; worker < atOnce; worker++) work(worker).catch(fail);
    until?.then(() => {
      isClosed = true;
      next = items.length;
      decide();
    }, fail);
    decide();
  });
}
