import { open, rename } from 'node:fs/promises';

/** A tensor to write. */
export interface WrittenTensor {
  readonly name: string;
  /** Rows before columns. */
  readonly shape: readonly number[];
  /** The number of the type: 0 for F32, 2 for Q4_0. */
  readonly type: number;
  readonly bytes: number;
  contents(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Writes a GGUF file. metadata: values encoded by the functions below. Source:
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export async function writeGguf(
  path: string,
  metadata: Readonly<Record<string, Buffer>>,
  tensors: readonly WrittenTensor[],
): Promise<void> {
  let end = 0;
  const infos = tensors.map(({ name, shape, type, bytes }) => {
    const dims = [...shape].reverse().map(uint64);
    const info = Buffer.concat([text(name), uint32(dims.length), ...dims, uint32(type), uint64(end)]);
    end += padded(bytes);
    return info;
  });
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(tensors.length),
    uint64(Object.keys(metadata).length),
    ...Object.entries(metadata).map(([key, value]) => Buffer.concat([text(key), value])),
    ...infos,
  ]);
  const file = await open(`${path}.partial`, 'w');
  try {
    await file.writeFile(head);
    await file.writeFile(Buffer.alloc(padded(head.length) - head.length));
    for (const { bytes, contents } of tensors) {
      for await (const piece of contents()) await file.writeFile(piece);
      await file.writeFile(Buffer.alloc(padded(bytes) - bytes));
    }
  } finally {
    await file.close();
  }
  await rename(`${path}.partial`, path);
}

const ALIGNMENT = 32;

function padded(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

export const integer = (value: number): Buffer => Buffer.concat([uint32(4), uint32(value)]);
export const word = (value: string): Buffer => Buffer.concat([uint32(8), text(value)]);
export const float = (value: number): Buffer =>
  Buffer.concat([uint32(6), Buffer.from(Float32Array.of(value).buffer)]);
export const truth = (value: boolean): Buffer => Buffer.concat([uint32(7), Buffer.of(value ? 1 : 0)]);

export function words(values: readonly string[]): Buffer {
  return Buffer.concat([uint32(9), uint32(8), uint64(values.length), ...values.map(text)]);
}

export function integers(values: readonly number[]): Buffer {
  return Buffer.concat([
    uint32(9),
    uint32(5),
    uint64(values.length),
    Buffer.from(Int32Array.from(values).buffer),
  ]);
}

/** The nearest half-precision number, for magnitudes below 2^15, as scales of weights have. */
export function halfBits(value: number): number {
  if (Math.abs(value) < 2 ** -14) return (value < 0 ? 0x8000 : 0) | Math.round(Math.abs(value) * 2 ** 24);
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
  const rounded = bits + 0x1000;
  return ((bits >>> 16) & 0x8000) | (((rounded & 0x7fff_ffff) - 0x3800_0000) >>> 13);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);
}
