import type { Readable } from 'node:stream';

/** Reads one JSON value per line; null once the stream has ended or a value is late. */
export function lineReader(stream: Readable): (timeoutMs: number) => Promise<unknown> {
  const lines: string[] = [];
  const pieces: Buffer[] = [];
  let isOver = false;
  let wake = (): void => {};
  stream.on('data', (piece: Buffer) => {
    const parts = piece.toString('latin1').split('\n');
    for (const [index, part] of parts.entries()) {
      pieces.push(Buffer.from(part, 'latin1'));
      if (index < parts.length - 1) lines.push(Buffer.concat(pieces.splice(0)).toString('utf8'));
    }
    wake();
  });
  for (const event of ['end', 'close', 'error']) {
    stream.once(event, () => {
      isOver = true;
      wake();
    });
  }
  return async timeoutMs => {
    if (lines.length === 0 && !isOver) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, timeoutMs);
        wake = () => {
          if (lines.length === 0 && !isOver) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const line = lines.shift();
    if (line === undefined) return null;
    try {
      return JSON.parse(line);
    } catch {
      return null;
    }
  };
}
