/** Something that holds processes, files or connections until it is closed. */
export interface Closable {
  close(): Promise<void>;
}

/** Notes a part that is to be closed, and returns it. */
export type Opened = <Part extends Closable>(part: Part) => Part;

/**
 * Runs `action`, then closes what it opened, the last first. A part that cannot be closed neither keeps the others
 * open nor takes the place of `action`'s own error; after a success, `onFailedClose` is told.
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
