import type { HefixError } from '../../core/errors.ts';
import type { ApiKey } from './api-keys.ts';
import { backoffMs } from './backoff.ts';

/** Null is the key of a server that needs none. */
type Key = ApiKey | null;

export type Turn =
  | { readonly state: 'awake'; readonly key: Key }
  /** All rest: the first wakes in so many milliseconds, at that time. */
  | {
      readonly state: 'resting';
      readonly wakesInMs: number;
      readonly wakesAt: number;
      readonly error: HefixError;
    }
  /** None will be accepted again: why the last was not. */
  | { readonly state: 'refused'; readonly error: HefixError };

/** Keys that are used in turn; one that is limited rests for a while, one that is refused for good. */
export interface KeyRing {
  next(): Turn;
  /** What `next` would give, without taking a turn. */
  state(): Turn['state'];
  /** `waitMs` is what the server asks for; null leaves it to a backoff that grows with each time. */
  rest(key: Key, waitMs: number | null, error: HefixError): void;
  refuse(key: Key, error: HefixError): void;
  worked(key: Key): void;
}

interface Entry {
  readonly key: Key;
  /** Milliseconds; Infinity if it was refused. */
  wakesAt: number;
  /** How often it was limited since it last worked. */
  limited: number;
  error: HefixError | null;
}

export function createKeyRing(keys: readonly ApiKey[], now: () => Date, random: () => number): KeyRing {
  const all: readonly Key[] = keys.length === 0 ? [null] : keys;
  /** In the order of their turns. */
  const queue: Entry[] = all.map(key => ({ key, wakesAt: 0, limited: 0, error: null }));
  const entryOf = (key: Key) => queue.find(entry => entry.key === key);
  const awakeAt = (time: number) => queue.findIndex(({ wakesAt }) => wakesAt <= time);
  return {
    next() {
      const time = now().getTime();
      const index = awakeAt(time);
      const [entry] = index < 0 ? [] : queue.splice(index, 1);
      if (entry) {
        queue.push(entry);
        return { state: 'awake', key: entry.key };
      }
      const [first] = queue.toSorted((a, b) => a.wakesAt - b.wakesAt);
      if (!first?.error) throw new Error('A key rests without a reason.');
      if (first.wakesAt === Number.POSITIVE_INFINITY) return { state: 'refused', error: first.error };
      const { wakesAt, error } = first;
      return { state: 'resting', wakesInMs: wakesAt - time, wakesAt, error };
    },
    state() {
      if (awakeAt(now().getTime()) >= 0) return 'awake';
      return queue.every(({ wakesAt }) => wakesAt === Number.POSITIVE_INFINITY) ? 'refused' : 'resting';
    },
    rest(key, waitMs, error) {
      const entry = entryOf(key);
      if (!entry) return;
      // Requests that were in flight together are limited together: that is one time.
      if (entry.wakesAt <= now().getTime()) entry.limited++;
      // A server that asks for no wait at all would be asked again at once, and again.
      const wait = waitMs || backoffMs(entry.limited, random, LONGEST_REST_MS);
      entry.wakesAt = Math.max(entry.wakesAt, now().getTime() + wait);
      entry.error = error;
    },
    refuse(key, error) {
      const entry = entryOf(key);
      if (!entry) return;
      entry.wakesAt = Number.POSITIVE_INFINITY;
      entry.error = error;
    },
    worked(key) {
      const entry = entryOf(key);
      if (entry) entry.limited = 0;
    },
  };
}

/** Limits are usually set per minute. */
const LONGEST_REST_MS = 60_000;
