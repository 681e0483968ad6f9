import { readSync, writeSync } from 'node:fs';
import { MAX_FRAME_BYTES } from '../realm/wire.ts';

/**
 * Messages on a stream: four bytes of length, little-endian, then UTF-8 text. Both ends block, because
 * a test that calls the candidate must wait for it as it would for any function.
 */

/** The next message; null at the end of the stream, and for a message that is longer than allowed. */
export function readFrame(descriptor: number): string | null {
  const header = readExactly(descriptor, 4);
  if (header === null) return null;
  const length = header.readUInt32LE();
  if (length > MAX_FRAME_BYTES) return null;
  return readExactly(descriptor, length)?.toString('utf8') ?? null;
}

/** False if nobody reads any more. */
export function writeFrame(descriptor: number, text: string): boolean {
  const bytes = frame(text);
  try {
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(descriptor, bytes, sent);
    return true;
  } catch {
    return false;
  }
}

export function frame(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(4 + Buffer.byteLength(text));
  bytes.writeUInt32LE(bytes.length - 4);
  bytes.write(text, 4);
  return bytes;
}

/** Takes one message off the front of what a stream has brought so far; null until it is whole. */
export function unframe(received: Buffer): string | null {
  if (received.length < 4) return null;
  const length = received.readUInt32LE();
  return received.length < 4 + length ? null : received.toString('utf8', 4, 4 + length);
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
