/** The messages between a container's first process and its host; init.py lists them. */
export interface Frame {
  readonly kind: string;
  readonly body: Buffer;
}

export function encodeFrame(kind: string, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Gives a function that takes the stream piece by piece and calls `onFrame` for each whole message. */
export function frameReader(onFrame: (frame: Frame) => void): (piece: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  return piece => {
    held = Buffer.concat([held, piece]);
    while (held.length >= 5 && held.length >= 5 + held.readUInt32BE(1)) {
      const end = 5 + held.readUInt32BE(1);
      const frame = { kind: held.toString('latin1', 0, 1), body: held.subarray(5, end) };
      held = held.subarray(end);
      onFrame(frame);
    }
  };
}
