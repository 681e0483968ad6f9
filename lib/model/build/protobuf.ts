/**
 * The four protobuf wire types that onnx.proto needs. Source:
 * https://protobuf.dev/programming-guides/encoding/
 */

/** int32, int64 and enums; negative numbers take ten bytes (64-bit two's complement). */
export function integerField(field: number, value: number): Buffer {
  return Buffer.from([...varint(field * 8), ...varint(value)]);
}

/** Strings, bytes and messages. */
export function bytesField(field: number, value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([bytesHeader(field, bytes.length), bytes]);
}

export function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([Buffer.from(varint(field * 8 + 5)), bytes]);
}

/** A packed repeated field of integers. */
export function integerFields(field: number, values: readonly number[]): Buffer {
  return Buffer.concat(values.map(value => integerField(field, value)));
}

/** The tag and length that precede `length` bytes of content. */
export function bytesHeader(field: number, length: number): Buffer {
  return Buffer.from([...varint(field * 8 + 2), ...varint(length)]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return bytes;
}
