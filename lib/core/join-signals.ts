import { setMaxListeners } from 'node:events';

/** One signal for several, until it is released. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Stops listening to the others. */
  release(): void;
}

/**
 * Aborts with the first of the signals, and with its reason. Unlike AbortSignal.any: on Node 20 a signal of that kind
 * is lost once garbage is collected, and with it the timeout that a caller has set.
 */
export function joinSignals(...signals: ReadonlyArray<AbortSignal | undefined>): JoinedSignal {
  const joined = new AbortController();
  // One listener for each piece of work in flight, however many those are.
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
