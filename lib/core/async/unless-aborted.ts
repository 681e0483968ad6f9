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
