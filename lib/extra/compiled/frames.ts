import type { Readable } from 'node:stream';
import { readMessages } from '../../sandbox/process/messages.ts';

/** Removes all complete messages from the front of a buffer; process/messages.ts describes them. */
export function takeFrames(received: Buffer): { readonly frames: Buffer[]; readonly rest: Buffer } {
  const frames: Buffer[] = [];
  let offset = 0;
  while (received.length - offset >= 4) {
    const end = offset + 4 + received.readUInt32LE(offset);
    if (end > received.length) break;
    frames.push(received.subarray(offset + 4, end));
    offset = end;
  }
  return { frames, rest: received.subarray(offset) };
}

/**
 * Reads a reply: `first` frames and, if the first frame is "ok", `more` frames. Null if the stream ends early
 * or exceeds the limit.
 */
export function readReply(
  stream: Readable,
  first: number,
  more: number,
  maxBytes: number,
): Promise<readonly Buffer[] | null> {
  return new Promise(resolve => {
    const frames: Buffer[] = [];
    const end = () => resolve(null);
    const limits = { bytes: maxBytes, total: maxBytes, messages: first + more };
    readMessages(stream, 'frames', limits, {
      onMessage(body) {
        frames.push(body);
        const wanted = frames[0]?.toString() === 'ok' ? first + more : first;
        if (frames.length === wanted) resolve(frames);
      },
      onExcess: end,
    });
    for (const event of ['end', 'close', 'error']) stream.once(event, end);
  });
}
