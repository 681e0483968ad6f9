import type { Settlers } from './decode-graph.ts';
import type { Intrinsics } from './intrinsics.ts';
import { isCount, type Settled } from './messages.ts';

/** What both sides tell each other about promises that have settled. */
export interface PromiseNews {
  /** Tells the other side when a promise of this side settles. */
  watch(promise: Promise<unknown>, id: number): void;
  /** Waits for the other side's news of a promise. */
  expect(id: number, settlers: Settlers): void;
  /** What has settled on this side since the last call; `describe` may not throw. */
  take(describe: (id: number, settlement: Settlement) => Settled): Settled[];
  /** Keeps news that came with a message; false if they cannot be read. */
  receive(news: readonly Settled[]): boolean;
  /** Settles the promises that news were received of: only once their message was understood, which may bring them. */
  pass(): void;
  /** Number of promises of the other side that it has not settled yet. */
  unsettled(): number;
}

/** How a promise of this side settled. */
export interface Settlement {
  readonly ok: boolean;
  readonly value: unknown;
  /** The line of this side's program where it was rejected. */
  readonly line: number | undefined;
}

export interface PromiseNewsOptions {
  readonly intrinsics: Pick<Intrinsics, 'watchPromise'>;
  lineOf(thrown: unknown): number | undefined;
  /** The value in news; must not return without one. */
  valueOf(news: Settled): unknown;
  onThrown(thrown: unknown, line: number | undefined): void;
  /** Called when a promise of this side settles while no call is in progress. */
  onNews?(): void;
  /** Called for each promise of the other side; returns a callback for its rejection. */
  onPromise?(): (reason: unknown) => void;
  /** A function or a promise of this side threw an exception into the other. */
  onServedThrow?(thrown: unknown, work: object | undefined): void;
}

export function createPromiseNews(options: PromiseNewsOptions): PromiseNews {
  const expected = new Map<number, Settlers>();
  const watched = new Set<number>();
  let settled: [number, Settlement][] = [];
  const received: Settled[] = [];

  const settle = (id: number, ok: boolean, value: unknown): void => {
    settled.push([id, { ok, value, line: ok ? undefined : options.lineOf(value) }]);
    options.onNews?.();
  };

  return {
    watch(promise, id) {
      if (watched.has(id)) return;
      watched.add(id);
      options.intrinsics.watchPromise(
        promise,
        value => settle(id, true, value),
        reason => {
          options.onServedThrow?.(reason, undefined);
          settle(id, false, reason);
        },
      );
    },
    expect(id, { resolve, reject }) {
      const rejected = options.onPromise?.();
      expected.set(id, {
        resolve,
        reject(reason) {
          rejected?.(reason);
          reject(reason);
        },
      });
    },
    take(describe) {
      const news = settled.map(([id, settlement]) => describe(id, settlement));
      settled = [];
      return news;
    },
    receive(news) {
      for (const one of news) {
        if (typeof one !== 'object' || one === null) return false;
        if (one.line !== undefined && !isCount(one.line)) return false;
        received.push(one);
      }
      return true;
    },
    pass() {
      for (let news = received.shift(); news; news = received.shift()) {
        const settlers = expected.get(news.id);
        expected.delete(news.id);
        if (!settlers) continue;
        const value = options.valueOf(news);
        if (news.ok) settlers.resolve(value);
        else {
          options.onThrown(value, news.line);
          settlers.reject(value);
        }
      }
    },
    unsettled: () => expected.size,
  };
}
