import { setMaxListeners } from 'node:events';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';

/** Something that owns processes, files or connections until it is closed. */
export interface Closable {
  close(): Promise<void>;
}

/**
 * Registers a resource to be closed, or one that is still being opened, and returns it. What is registered after the
 * others were closed is closed at once.
 */
export type Opened = <Part extends Closable | Promise<Closable>>(part: Part) => Part;

/**
 * Runs `action`, then closes the resources that it registered, last first. A resource that cannot be closed
 * neither keeps the others open nor hides the error of `action`; if `action` succeeded, `onFailedClose` is
 * called. Unless given, that rejects with the first such error.
 */
export async function closingAll<T>(
  action: (opened: Opened) => Promise<T>,
  onFailedClose: (error: unknown) => void = rethrow,
): Promise<T> {
  const parts: (Closable | Promise<Closable>)[] = [];
  let isClosed = false;
  const close = async () => {
    const failures: unknown[] = [];
    isClosed = true;
    for (const part of parts.toReversed()) await closed(part).catch(error => failures.push(error));
    return failures;
  };
  let result: T;
  try {
    result = await action(part => {
      if (isClosed) closed(part).catch(() => {});
      else parts.push(part);
      return part;
    });
  } catch (error) {
    await close();
    throw error;
  }
  for (const failure of await close()) onFailedClose(failure);
  return result;
}

/** Closes one after the other, even if one cannot be closed; then rejects with the first error. */
export async function closeInOrder(...parts: readonly Closable[]): Promise<void> {
  await closingAll(async opened => {
    for (const part of parts.toReversed()) opened(part);
  });
}

async function closed(part: Closable | Promise<Closable>): Promise<void> {
  // One that could not be opened needs no closing; the caller has its error.
  const opened = await Promise.resolve(part).catch(() => null);
  await opened?.close();
}

function rethrow(error: unknown): void {
  throw error;
}

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

/** Computes a value when it is first asked for, and no second time. */
export function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

/** One signal for several, until it is released. */
interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Stops listening to the original signals. */
  release(): void;
}

/**
 * Aborts with the first of the signals and its reason. Unlike with AbortSignal.any, a caller's timeout is not
 * lost to garbage collection on Node 20.
 */
export function joinSignals(...signals: ReadonlyArray<AbortSignal | undefined>): JoinedSignal {
  const joined = new AbortController();
  // One listener per piece of work in flight.
  setMaxListeners(0, joined.signal);
  const present = signals.filter(signal => signal !== undefined);
  const listeners = present.map(signal => ({ signal, abort: () => joined.abort(signal.reason) }));
  for (const { signal, abort } of listeners) {
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: joined.signal,
    release() {
      for (const { signal, abort } of listeners) signal.removeEventListener('abort', abort);
    },
  };
}

/** A signal that is also aborted after so many seconds, until it is released. */
export function signalWithin(seconds: number, signal: AbortSignal): JoinedSignal {
  const late = new AbortController();
  const joined = joinSignals(signal, late.signal);
  const stop = startTimer(() => late.abort(), seconds * 1000);
  return {
    signal: joined.signal,
    release() {
      stop();
      joined.release();
    },
  };
}

/** Rejects with the signal's reason once it is aborted; the shared promise continues. */
export async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (!signal) return await promise;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Waits so many milliseconds; rejects with the signal's reason if aborted. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;

export const wait: Wait = async (milliseconds, signal) => {
  signal?.throwIfAborted();
  try {
    await pause(milliseconds, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.reason ?? error;
  }
};

/** Lets other work run, such as Ctrl-C, between two steps of a long computation; rejects with the signal's reason. */
export async function takeTurns(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

/** Calls `act` after so many milliseconds, unless the returned function is called before. */
export type StartTimer = (act: () => void, milliseconds: number) => () => void;

export const startTimer: StartTimer = (act, milliseconds) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Repeats an attempt until it resolves with other than null, with pauses from 0.2 to 10 seconds. Rejects with what an
 * attempt throws, or with the signal's reason.
 */
export async function keepTrying<Result>(
  attempt: () => Promise<{ readonly result: Result } | null>,
  signal: AbortSignal,
): Promise<Result> {
  for (let pause = 200; ; pause = Math.min(2 * pause, 10_000)) {
    signal.throwIfAborted();
    const ended = await attempt();
    if (ended !== null) return ended.result;
    await wait(pause, signal);
  }
}
