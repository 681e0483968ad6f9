import type { FileHandle } from 'node:fs/promises';

/** Byte offsets of a field: its tag (`start`), its content, and its end. */
export interface Extent {
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

/** The file is not a protobuf message. */
export class NotProtobuf extends Error {}

export interface Field extends Extent {
  readonly field: number;
}

/**
 * The fields of a message, in order. protobufjs is not used, because it decodes a message as a whole, with gigabytes of
 * weights, and gives no byte offsets. Source: https://protobuf.dev/programming-guides/encoding/
 */
export async function* fields(bytes: Bytes, from: number, to: number): AsyncGenerator<Field> {
  let start = from;
  while (start < to) {
    const tag = await varint(bytes, start);
    let content = tag.end;
    let end = content;
    const wireType = tag.value % 8;
    if (wireType === 0) end = (await varint(bytes, content)).end;
    else if (wireType === 1) end = content + 8;
    else if (wireType === 5) end = content + 4;
    else if (wireType === 2) {
      const length = await varint(bytes, content);
      content = length.end;
      end = content + length.value;
    } else throw new NotProtobuf();
    if (end > to) throw new NotProtobuf();
    yield { field: Math.floor(tag.value / 8), start, content, end };
    start = end;
  }
}

/** The fields of a message that have this number. */
export async function* inside(bytes: Bytes, { content, end }: Extent, wanted: number): AsyncGenerator<Field> {
  for await (const part of fields(bytes, content, end)) if (part.field === wanted) yield part;
}

export async function varint(bytes: Bytes, start: number): Promise<{ value: number; end: number }> {
  const view = await bytes.view(start, 10);
  let value = 0;
  for (let index = 0; index < view.length; index++) {
    value += (view[index]! & 0x7f) * 2 ** (7 * index);
    if (view[index]! < 0x80) return { value, end: start + index + 1 };
  }
  throw new NotProtobuf();
}

export async function text(bytes: Bytes, start: number, end: number): Promise<string> {
  if (end - start > LONGEST_TEXT) throw new NotProtobuf();
  return (await bytes.view(start, end - start)).toString('utf8');
}

const LONGEST_TEXT = 2 ** 16;

export interface Bytes {
  readonly length: number;
  /** Up to `length` bytes from `start`; fewer at the end of the file. */
  view(start: number, length: number): Promise<Buffer>;
}

/** Reads through a window, since most fields are small and adjacent. */
export async function openBytes(file: FileHandle): Promise<Bytes> {
  const { size } = await file.stat();
  const window = Buffer.alloc(2 ** 18);
  let from = 0;
  let buffered = 0;
  return {
    length: size,
    async view(start, length) {
      if (start < from || start + length > from + buffered) {
        from = start;
        buffered = (await file.read(window, 0, window.length, start)).bytesRead;
      }
      return window.subarray(start - from, Math.min(start - from + length, buffered));
    },
  };
}
