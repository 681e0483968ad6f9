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
