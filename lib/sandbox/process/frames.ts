import { readSync, writeSync } from 'node:fs';

/**
 * Messages between the processes of a sandbox: four bytes of length, little-endian, then that many bytes. Text is
 * UTF-8.
 */

export function frame(body: Buffer | string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(body));
  return Buffer.concat([length, Buffer.from(body)]);
}

/**
 * Waits for the next message: a test that calls the candidate waits for it as for any function. Returns null at the
 * end of the stream, and for a message of more than `limit` bytes.
 */
export function readFrame(descriptor: number, limit: number): string | null {
  const length = readExactly(descriptor, 4)?.readUInt32LE();
  if (length === undefined || length > limit) return null;
  return readExactly(descriptor, length)?.toString('utf8') ?? null;
}

/** Waits until the message is written; false if nobody reads any more. */
export function writeFrame(descriptor: number, text: string): boolean {
  const bytes = frame(text);
  try {
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(descriptor, bytes, sent);
    return true;
  } catch {
    return false;
  }
}

function readExactly(descriptor: number, length: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(length);
  for (let got = 0; got < length; ) {
    let count = 0;
    try {
      count = readSync(descriptor, bytes, got, length - got, null);
    } catch {
      return null;
    }
    if (count === 0) return null;
    got += count;
  }
  return bytes;
}
