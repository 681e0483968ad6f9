import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frame, type MessageLimits, readMessages } from '../../../lib/sandbox/process/messages.ts';

const wide: MessageLimits = { bytes: 1000, total: 100_000, messages: 1000 };

/** What is read of these pieces, and whether a limit was exceeded. */
async function read(
  pieces: readonly (Buffer | string)[],
  framing: 'lines' | 'frames',
  limits: Partial<MessageLimits> = {},
) {
  const messages: string[] = [];
  const stream = Readable.from(pieces.map(piece => Buffer.from(piece)).filter(piece => piece.length > 0));
  const isExceeded = await new Promise<boolean>(resolve => {
    readMessages(
      stream,
      framing,
      { ...wide, ...limits },
      { onMessage: body => messages.push(body.toString()), onExcess: () => resolve(true) },
    );
    stream.on('end', () => resolve(false));
  });
  return { messages, isExceeded };
}

const cut = fc.array(fc.nat(40), { maxLength: 30 });

function piecesOf(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...pieces, bytes.subarray(at)];
}

test('finds the same messages however they are cut', async () => {
  const text = fc.string({ maxLength: 40 }).map(each => each.replaceAll('\n', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), cut, async (texts, sizes) => {
      const lines = Buffer.from(texts.map(each => `${each}\n`).join(''));
      const frames = Buffer.concat(texts.map(frame));
      const expected = { messages: texts, isExceeded: false };
      expect(await read(piecesOf(lines, sizes), 'lines')).toEqual(expected);
      expect(await read(piecesOf(frames, sizes), 'frames')).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['lines', '12345\n', '123456\n'],
  ['frames', frame('12345'), frame('123456')],
] as const)('a message may have as many bytes as the limit: %s', async (framing, fits, exceeds) => {
  const limits = { bytes: 5 };
  expect(await read([fits], framing, limits)).toEqual({ messages: ['12345'], isExceeded: false });
  expect(await read([exceeds], framing, limits)).toEqual({ messages: [], isExceeded: true });
  expect(await read([fits, fits], framing, { total: fits.length })).toMatchObject({ isExceeded: true });
  expect(await read([fits, fits], framing, { messages: 1 })).toEqual({
    messages: ['12345'],
    isExceeded: true,
  });
});

test('a frame that announces 4 GiB is refused before it comes', async () => {
  expect(await read([Buffer.from([255, 255, 255, 255])], 'frames')).toMatchObject({ isExceeded: true });
});

test('counts again from each answer that was taken', () => {
  const stream = new PassThrough();
  let exceeded = 0;
  const reading = readMessages(
    stream,
    'lines',
    { ...wide, messages: 1 },
    {
      onMessage: () => reading.renew(),
      onExcess: () => exceeded++,
    },
  );
  for (let count = 0; count < 5; count++) stream.emit('data', Buffer.from('a\n'));
  expect(exceeded).toBe(0);
});

test('reads no more once a limit is exceeded', () => {
  const stream = new PassThrough();
  let exceeded = 0;
  const read: string[] = [];
  readMessages(
    stream,
    'lines',
    { ...wide, bytes: 3 },
    {
      onMessage: body => read.push(body.toString()),
      onExcess: () => exceeded++,
    },
  );
  for (const piece of ['abcd', 'e\n', 'f\n']) stream.emit('data', Buffer.from(piece));
  expect([exceeded, read, stream.isPaused()]).toEqual([1, [], true]);
});

test('takes no more work for a message of single bytes than in proportion', () => {
  const stream = new PassThrough();
  const copies: number[] = [];
  const { copy } = Buffer.prototype;
  Buffer.prototype.copy = function (...words: Parameters<typeof copy>) {
    const count = copy.apply(this, words);
    copies.push(count);
    return count;
  };
  try {
    readMessages(
      stream,
      'lines',
      { ...wide, bytes: 2 ** 20, total: 2 ** 20 },
      {
        onMessage: () => {},
        onExcess: () => {},
      },
    );
    for (let count = 0; count < 100_000; count++) stream.emit('data', Buffer.from('a'));
  } finally {
    Buffer.prototype.copy = copy;
  }
  expect(copies.reduce((sum, count) => sum + count, 0)).toBeLessThan(400_000);
});
