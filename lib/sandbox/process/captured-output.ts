import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** Output of a process on one stream: the first bytes are kept, the rest is read and counted. */
export interface CapturedOutput {
  /** UTF-8, with U+FFFD in place of invalid bytes. */
  text(): string;
  droppedBytes(): number;
  /**
   * Resolves when the stream has ended or after some milliseconds, since a process that escaped may hold it
   * open.
   */
  ended(milliseconds: number): Promise<void>;
}

/** Bytes that are kept of the output of a candidate, on each stream. */
export const maxOutputBytes = 64 * 1024;

export function captureOutput(stream: Readable, maxBytes = maxOutputBytes): CapturedOutput {
  const kept: Buffer[] = [];
  let size = 0;
  let dropped = 0;
  stream.on('data', (piece: Buffer) => {
    const take = Math.min(piece.length, maxBytes - size);
    if (take > 0) kept.push(Buffer.from(piece.subarray(0, take)));
    size += take;
    dropped += piece.length - take;
  });
  const end = new Promise<void>(resolve => {
    stream.once('close', resolve);
    stream.once('end', resolve);
  });
  return {
    text: () => Buffer.concat(kept).toString('utf8'),
    droppedBytes: () => dropped,
    async ended(milliseconds) {
      const late = new AbortController();
      const timer = pause(milliseconds, undefined, { signal: late.signal }).catch(() => {});
      await Promise.race([end, timer]);
      late.abort();
    },
  };
}

/** Once enough is kept, reads at most one chunk per millisecond, so that a flood of output does not fill our memory. */
export function captureSlowly(stream: Readable): CapturedOutput {
  let size = 0;
  stream.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= maxOutputBytes) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1);
  });
  return captureOutput(stream);
}
