/** Something that owns processes, files or connections until it is closed. */
export interface Closable {
  close(): Promise<void>;
}

/** Registers a resource to be closed, and returns it. */
export type Opened = <Part extends Closable>(part: Part) => Part;

/**
 * Runs `action`, then closes the resources that it registered, last first. A resource that cannot be closed
 * neither keeps the others open nor hides the error of `action`; if `action` succeeded, `onFailedClose` is
 * called. Unless given, that rejects with the first such error.
 */
export async function closingAll<T>(
  action: (opened: Opened) => Promise<T>,
  onFailedClose: (error: unknown) => void = rethrow,
): Promise<T> {
  const parts: Closable[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (const part of parts.toReversed()) await part.close().catch(error => failures.push(error));
    return failures;
  };
  let result: T;
  try {
    result = await action(part => {
      parts.push(part);
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

function rethrow(error: unknown): void {
  throw error;
}
