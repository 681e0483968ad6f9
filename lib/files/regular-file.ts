import { constants, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Reading a file at a path that the user or hefix itself named, so that links are followed. Only regular files are
 * opened: a pipe would block until somebody writes to it, which no signal ends, and a device never ends.
 */

/** Opens a regular file for reading. Rejects with the system's error, or with an Error that says what else it is. */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(file.fd).isFile()) return file;
  await file.close();
  throw new Error('it is not a regular file');
}

/** The content of a regular file. Rejects as `openRegular` does, and for a file of more bytes than the limit. */
export async function readRegular(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const pieces: Buffer[] = [];
    // The file may be written to meanwhile, and some file systems do not tell sizes.
    for (let total = 0; Math.max(total, size) <= maxBytes; ) {
      // Not from a pool: parsers of Parquet take the memory behind a buffer as the file.
      const piece = Buffer.allocUnsafeSlow(size > total ? size - total : 4096);
      const { bytesRead } = await file.read(piece);
      if (bytesRead === 0) return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      pieces.push(piece.subarray(0, bytesRead));
      total += bytesRead;
    }
    throw new Error(`it has more than ${Math.floor(maxBytes / 2 ** 20)} MiB`);
  } finally {
    await file.close();
  }
}

/** The content as UTF-8. */
export async function readRegularText(path: string, maxBytes: number): Promise<string> {
  return (await readRegular(path, maxBytes)).toString('utf8');
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
