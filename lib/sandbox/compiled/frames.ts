import type { Readable } from 'node:stream';

/** Removes all complete messages from the front of a buffer; process/frames.ts describes them. */
export function takeFrames(received: Buffer): { readonly frames: Buffer[]; readonly rest: Buffer } {
  const frames: Buffer[] = [];
  let at = 0;
  while (received.length - at >= 4) {
    const end = at + 4 + received.readUInt32LE(at);
    if (end > received.length) break;
    frames.push(received.subarray(at + 4, end));
    at = end;
  }
  return { frames, rest: received.subarray(at) };
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
    let pieces: Buffer[] = [];
    let size = 0;
    let needed = 4;
    const end = () => resolve(null);
    stream.on('data', (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > maxBytes) end();
      if (size < needed) return;
      const taken = takeFrames(Buffer.concat(pieces));
      frames.push(...taken.frames);
      pieces = [taken.rest];
      size = taken.rest.length;
      needed = size < 4 ? 4 : 4 + taken.rest.readUInt32LE(0);
      const wanted = frames[0]?.toString() === 'ok' ? first + more : first;
      if (frames.length >= wanted) resolve(frames);
    });
    for (const event of ['end', 'close', 'error']) stream.once(event, end);
  });
}
