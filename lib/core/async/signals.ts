import { setMaxListeners } from 'node:events';

/** One signal for several, until it is released. */
export interface JoinedSignal {
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
  const given = signals.filter(signal => signal !== undefined);
  const listeners = given.map(signal => ({ signal, abort: () => joined.abort(signal.reason) }));
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
