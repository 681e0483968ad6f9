import type { Readable } from 'node:stream';

/** Limits on what a process in a jail may send. */
export interface MessageLimits {
  /** Bytes of one message. */
  readonly bytes: number;
  /** Bytes of all messages, and their number, since the start or the last `renew`. */
  readonly total: number;
  readonly messages: number;
}

export interface MessageReading {
  /** Counts from here. */
  renew(): void;
}

export interface MessageListener {
  onMessage(body: Buffer): void;
  /** Called once a limit is exceeded. Nothing more is read, so that the process blocks: end it. */
  onExcess(): void;
}

/**
 * Splits a stream into messages: lines, without their ends, or frames. Whatever the other side sends,
 * this keeps at most twice the limit of one message, and takes time in proportion to the bytes.
 */
export function readMessages(
  stream: Readable,
  framing: 'lines' | 'frames',
  limits: MessageLimits,
  { onMessage, onExcess }: MessageListener,
): MessageReading {
  const isFrames = framing === 'frames';
  const head = isFrames ? HEADER_BYTES : 0;
  let held = Buffer.alloc(0);
  let length = 0;
  /** Bytes of the frame, as far as its header has been read. */
  let wanted = head;
  let total = 0;
  let messages = 0;
  const keep = (piece: Buffer): void => {
    if (length + piece.length > held.length) {
      const larger = Buffer.allocUnsafe(Math.max(length + piece.length, 2 * held.length));
      held.copy(larger, 0, 0, length);
      held = larger;
    }
    piece.copy(held, length);
    length += piece.length;
  };
  /** The number of bytes of a piece that belong to the current message, and whether they end it. */
  const split = (piece: Buffer): readonly [number, boolean] => {
    if (isFrames) return [Math.min(piece.length, wanted - length), piece.length >= wanted - length];
    const end = piece.indexOf(NEWLINE);
    return end === -1 ? [piece.length, false] : [end + 1, true];
  };
  /** False if a limit is exceeded. */
  const take = (piece: Buffer): boolean => {
    total += piece.length;
    for (let rest = piece; rest.length > 0; ) {
      const [size, isEnd] = split(rest);
      if (total > limits.total || length + size > limits.bytes + head + 1) return false;
      keep(rest.subarray(0, size));
      rest = rest.subarray(size);
      if (!isEnd) continue;
      if (isFrames && length === HEADER_BYTES) {
        wanted = HEADER_BYTES + held.readUInt32LE();
        if (wanted > limits.bytes + HEADER_BYTES) return false;
        if (wanted > HEADER_BYTES) continue;
      }
      if (++messages > limits.messages) return false;
      const body = Buffer.from(held.subarray(head, isFrames ? length : length - 1));
      if (held.length > KEPT_BYTES) held = Buffer.alloc(0);
      length = 0;
      wanted = head;
      onMessage(body);
    }
    return true;
  };
  const read = (piece: Buffer): void => {
    if (take(piece)) return;
    stream.off('data', read);
    stream.pause();
    held = Buffer.alloc(0);
    onExcess();
  };
  stream.on('data', read);
  return {
    renew() {
      total = 0;
      messages = 0;
    },
  };
}

const HEADER_BYTES = 4;
const NEWLINE = 10;
/** A larger buffer is given back after its message. */
const KEPT_BYTES = 2 ** 16;

/** A message as a frame: four bytes of length, little-endian, then that many bytes. Text is UTF-8. */
export function frame(body: Buffer | string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(body));
  return Buffer.concat([length, Buffer.from(body)]);
}
