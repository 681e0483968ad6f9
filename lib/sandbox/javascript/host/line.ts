import { readSync, writeSync } from 'node:fs';

/** Messages between judge and candidate, in the form of process/messages.ts, with few system calls for small ones. */
export interface Line {
  /** False if nobody reads any more. */
  write(text: string): boolean;
  /** Waits for the next message. Null at the end, and for a message of more than `limit` bytes. */
  read(): string | null;
}

const SMALL = 16 * 1024;

export function openLine(descriptor: number, limit: number): Line {
  const sent = Buffer.alloc(SMALL);
  const held = Buffer.alloc(SMALL);
  let start = 0;
  let end = 0;

  const receive = (target: Buffer, at: number): number => {
    try {
      return readSync(descriptor, target, at, target.length - at, null);
    } catch {
      return 0;
    }
  };
  /** Has at least so many bytes in `held`; false at the end. */
  const hold = (bytes: number): boolean => {
    if (start > 0 && start + bytes > held.length) {
      held.copyWithin(0, start, end);
      [start, end] = [0, end - start];
    }
    while (end - start < bytes) {
      const count = receive(held, end);
      if (count === 0) return false;
      end += count;
    }
    return true;
  };

  return {
    write(text) {
      // At most three bytes for each unit.
      let bytes = sent;
      let length = 4;
      if (3 * text.length + 4 <= SMALL) length += sent.write(text, 4);
      else {
        bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(text)]);
        length = bytes.length;
      }
      bytes.writeUInt32LE(length - 4);
      try {
        for (let at = 0; at < length; ) at += writeSync(descriptor, bytes, at, length - at);
        return true;
      } catch {
        return false;
      }
    },
    read() {
      if (start === end) start = end = 0;
      if (!hold(4)) return null;
      const length = held.readUInt32LE(start);
      start += 4;
      if (length > limit) return null;
      if (length <= SMALL) {
        if (!hold(length)) return null;
        start += length;
        return held.toString('utf8', start - length, start);
      }
      const body = Buffer.allocUnsafe(length);
      let got = held.copy(body, 0, start, end);
      start = end = 0;
      while (got < length) {
        const count = receive(body, got);
        if (count === 0) return null;
        got += count;
      }
      return body.toString('utf8');
    },
  };
}
