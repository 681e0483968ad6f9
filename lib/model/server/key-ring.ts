import { HefixError } from '../../core/errors.ts';
import { backendKeyInvalid } from './errors.ts';

/** Null stands for a server without keys. */
type Key = ApiKey | null;

type Turn =
  | { readonly state: 'awake'; readonly key: Key }
  /** All keys are resting; the first is available in so many milliseconds, at that time. */
  | {
      readonly state: 'resting';
      readonly wakesInMs: number;
      readonly wakesAt: number;
      readonly error: HefixError;
    }
  /** No key will be accepted again; the reason why the last one was rejected. */
  | { readonly state: 'refused'; readonly error: HefixError };

/** Keys used in rotation. A rate-limited key rests for a while, a rejected one permanently. */
export interface KeyRing {
  next(): Turn;
  /** The result of `next`, without advancing the rotation. */
  state(): Turn['state'];
  /** `waitMs` is the wait that the server requests; null uses a backoff that grows each time. */
  rest(key: Key, waitMs: number | null, error: HefixError): void;
  refuse(key: Key, error: HefixError): void;
  worked(key: Key): void;
}

interface Entry {
  readonly key: Key;
  /** Milliseconds; Infinity if the key was rejected. */
  wakesAt: number;
  /** How often it was rate-limited since its last success. */
  limited: number;
  error: HefixError | null;
}

/** The refusal of one of several keys, in words about all of them. */
function ofAllKeys({ key, error }: Entry): HefixError {
  if (error === null) throw new Error('A key is refused without a reason.');
  const label = key?.label ?? '';
  const all = label.replace(/^key \d+ of (\d+)/, 'all $1 keys');
  return new HefixError(error.code, error.message.replace(label, all), error.hint, error);
}

export function createKeyRing(keys: readonly ApiKey[], now: () => Date, random: () => number): KeyRing {
  const all: readonly Key[] = keys.length === 0 ? [null] : keys;
  /** In rotation order. */
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
      if (first.wakesAt === Number.POSITIVE_INFINITY) return { state: 'refused', error: ofAllKeys(first) };
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
      // Requests in flight at the same time are rate-limited together and count once.
      if (entry.wakesAt <= now().getTime()) entry.limited++;
      // A requested wait of zero would cause a busy loop of requests.
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

/** Rate limits are usually per minute. */
const LONGEST_REST_MS = 60_000;

/** Half a second, doubled with each failure up to `longestMs`, with up to 50% jitter. */
export function backoffMs(failures: number, random: () => number, longestMs = 30_000): number {
  const whole = Math.min(FIRST_MS * 2 ** (failures - 1), longestMs);
  return whole * (1 - random() / 2);
}

const FIRST_MS = 500;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The wait that the server requests, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as an
 * HTTP date (RFC 9110, 10.2.3). Null if it is missing or invalid.
 */
export function retryAfterMs(headers: Headers, now: Date): number | null {
  const exact = Number(first(headers['retry-after-ms']));
  if (exact > 0) return exact;
  const after = first(headers['retry-after'])?.trim();
  if (after === undefined || after === '') return null;
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

export interface ApiKey {
  readonly value: string;
  /** Shown in place of the key: `the key in OPENAI_API_KEY`, `key 2 of 3 in OPENAI_API_KEY`. */
  readonly label: string;
}

/**
 * The keys in the first of these variables that is set, separated by commas.
 * @throws HefixError (`BACKEND_KEY_INVALID`) naming the variable, never its value.
 */
export function readApiKeys(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): ApiKey[] {
  for (const name of names) {
    const values = [...new Set((environment[name] ?? '').split(',').map(part => part.trim()))];
    const keys = values.filter(value => value !== '');
    // Other characters would break the header, and the resulting error would show the key.
    if (keys.some(key => !/^[\x21-\x7e]+$/.test(key))) throw backendKeyInvalid(name);
    if (keys.length === 1) return keys.map(value => ({ value, label: `the key in ${name}` }));
    if (keys.length > 1) {
      return keys.map((value, index) => ({ value, label: `key ${index + 1} of ${keys.length} in ${name}` }));
    }
  }
  return [];
}

/** Returns a function that redacts these keys in a server's output, since some servers echo them. */
export function redactorOf(keys: readonly ApiKey[]): (text: string) => string {
  // Anything shorter is not a secret (local servers accept any word) and may be part of ordinary words.
  const secrets = keys.map(({ value }) => value).filter(value => value.length >= SHORTEST_SECRET);
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return text => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
}

/**
 * The streaming version: text that may be the start of a key is held back until the next chunk decides. `end`
 * returns the rest.
 */
export function redactedPieces(
  keys: readonly ApiKey[],
  onPiece: (piece: string) => void,
): { add(piece: string): void; end(): void } {
  const redact = redactorOf(keys);
  const secrets = keys.map(({ value }) => value).filter(value => value.length >= SHORTEST_SECRET);
  const longest = Math.max(0, ...secrets.map(({ length }) => length - 1));
  let pending = '';
  const give = (text: string) => {
    if (text !== '') onPiece(text);
  };
  return {
    add(piece) {
      pending = redact(pending + piece);
      let tail = Math.min(longest, pending.length);
      while (tail > 0 && !secrets.some(secret => secret.startsWith(pending.slice(-tail)))) tail--;
      give(pending.slice(0, pending.length - tail));
      pending = tail === 0 ? '' : pending.slice(-tail);
    },
    end() {
      give(pending);
      pending = '';
    },
  };
}

const SHORTEST_SECRET = 6;
