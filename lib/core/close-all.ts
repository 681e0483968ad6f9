/** Something that owns processes, files or connections until it is closed. */
export interface Closable {
  close(): Promise<void>;
}

/** Registers a resource to be closed, and returns it. */
export type Opened = <Part extends Closable>(part: Part) => Part;

/**
 * Runs `action`, then closes the resources that it registered, last first. A resource that cannot be closed
 * neither keeps the others open nor hides the error of `action`; if `action` succeeded, `onFailedClose` is
 * called.
 */
export async function closingAll<T>(
  action: (opened: Opened) => Promise<T>,
  onFailedClose: (error: unknown) => void,
): Promise<T> {
  const parts: Closable[] = [];
  let succeeded = false;
  try {
    const result = await action(part => {
      parts.push(part);
      return part;
    });
    succeeded = true;
    return result;
  } finally {
    for (const part of parts.reverse()) {
      await part.close().catch(error => {
        if (succeeded) onFailedClose(error);
      });
    }
  }
}
