import type { NumberReader } from '../build/checkpoint/read-rows.ts';
import { floatReader, halfTable } from '../build/codecs/float-codec.ts';

/** A type of tensors in GGUF files that hefix reads. */
export interface GgufType {
  readonly name: string;
  readonly reader: NumberReader;
}

/** The type with this number; null if hefix cannot read it. */
export function ggufType(id: number): GgufType | null {
  const half = (): HalfAt => {
    const table = halfTable();
    return (bytes, offset) => table[bytes[offset]! | (bytes[offset + 1]! << 8)]!;
  };
  if (id === 0) return floats('F32');
  if (id === 1) return floats('F16');
  if (id === 30) return floats('BF16');
  const layout = layouts[id];
  if (layout === undefined) return null;
  const { name, numbers, bytes: width, block } = layout;
  const halfAt = half();
  const read: NumberReader['read'] = (bytes, target) => {
    for (let from = 0, to = 0; to < target.length; from += width, to += numbers) {
      block(bytes, from, target, to, halfAt);
    }
  };
  return { name, reader: { numbers, bytes: width, read } };
}

function floats(name: 'F32' | 'F16' | 'BF16'): GgufType | null {
  const reader = floatReader(name);
  return reader && { name, reader };
}

type HalfAt = (bytes: Buffer, offset: number) => number;

/** Reads one block, from byte `from` on, to `target` from `to` on. */
type ReadBlock = (bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt) => void;

interface Layout {
  readonly name: string;
  /** Numbers in a block. */
  readonly numbers: number;
  /** Bytes of a block. */
  readonly bytes: number;
  readonly block: ReadBlock;
}

/**
 * Every product of a scale, a scale of scales and a code is exact in double precision, so that the only rounding is
 * the one to float32, as in the reference. Source: ggml-quants.h and ggml-common.h of
 * https://github.com/ggml-org/ggml
 */
const layouts: Readonly<Record<number, Layout>> = {
  2: { name: 'Q4_0', numbers: 32, bytes: 18, block: readQ4_0 },
  3: { name: 'Q4_1', numbers: 32, bytes: 20, block: readQ4_1 },
  6: { name: 'Q5_0', numbers: 32, bytes: 22, block: readQ5_0 },
  7: { name: 'Q5_1', numbers: 32, bytes: 24, block: readQ5_1 },
  8: { name: 'Q8_0', numbers: 32, bytes: 34, block: readQ8_0 },
  12: { name: 'Q4_K', numbers: 256, bytes: 144, block: readQ4_K },
  13: { name: 'Q5_K', numbers: 256, bytes: 176, block: readQ5_K },
  14: { name: 'Q6_K', numbers: 256, bytes: 210, block: readQ6_K },
};

/** Scale; codes, where the lower halves of the bytes are the first 16. */
function readQ4_0(bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt): void {
  const scale = half(bytes, from);
  for (let i = 0; i < 16; i++) {
    const pair = bytes[from + 2 + i]!;
    target[to + i] = scale * ((pair & 15) - 8);
    target[to + 16 + i] = scale * ((pair >> 4) - 8);
  }
}

/** Scale; minimum; codes. */
function readQ4_1(bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt): void {
  const scale = half(bytes, from);
  const minimum = half(bytes, from + 2);
  for (let i = 0; i < 16; i++) {
    const pair = bytes[from + 4 + i]!;
    target[to + i] = scale * (pair & 15) + minimum;
    target[to + 16 + i] = scale * (pair >> 4) + minimum;
  }
}

/** Scale; the fifth bits, four bytes; codes. */
function readQ5_0(bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt): void {
  const scale = half(bytes, from);
  const high = bytes.readUInt32LE(from + 2);
  for (let i = 0; i < 16; i++) {
    const pair = bytes[from + 6 + i]!;
    target[to + i] = scale * (((pair & 15) | (((high >>> i) & 1) << 4)) - 16);
    target[to + 16 + i] = scale * (((pair >> 4) | (((high >>> (i + 16)) & 1) << 4)) - 16);
  }
}

/** Scale; minimum; the fifth bits; codes. */
function readQ5_1(bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt): void {
  const scale = half(bytes, from);
  const minimum = half(bytes, from + 2);
  const high = bytes.readUInt32LE(from + 4);
  for (let i = 0; i < 16; i++) {
    const pair = bytes[from + 8 + i]!;
    target[to + i] = scale * ((pair & 15) | (((high >>> i) & 1) << 4)) + minimum;
    target[to + 16 + i] = scale * ((pair >> 4) | (((high >>> (i + 16)) & 1) << 4)) + minimum;
  }
}

/** Scale; signed codes. */
function readQ8_0(bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt): void {
  const scale = half(bytes, from);
  for (let i = 0; i < 32; i++) target[to + i] = scale * signed(bytes[from + 2 + i]!);
}

function signed(byte: number): number {
  return (byte << 24) >> 24;
}

/** Scale of scales; scale of minima; 12 bytes of both; codes of 4 bits, 64 in 32 bytes. */
function readQ4_K(bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt): void {
  const scale = half(bytes, from);
  const minimum = half(bytes, from + 2);
  for (let part = 0; part < 8; part++) {
    const step = scale * scaleOf(bytes, from + 4, part);
    const lowest = minimum * minimumOf(bytes, from + 4, part);
    const codes = from + 16 + (part >> 1) * 32;
    const shift = (part & 1) * 4;
    for (let i = 0; i < 32; i++) {
      target[to + part * 32 + i] = step * ((bytes[codes + i]! >> shift) & 15) - lowest;
    }
  }
}

/** As Q4_K, with the fifth bits in 32 bytes before the codes. */
function readQ5_K(bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt): void {
  const scale = half(bytes, from);
  const minimum = half(bytes, from + 2);
  for (let part = 0; part < 8; part++) {
    const step = scale * scaleOf(bytes, from + 4, part);
    const lowest = minimum * minimumOf(bytes, from + 4, part);
    const codes = from + 48 + (part >> 1) * 32;
    const shift = (part & 1) * 4;
    for (let i = 0; i < 32; i++) {
      const high = ((bytes[from + 16 + i]! >> part) & 1) << 4;
      target[to + part * 32 + i] = step * (((bytes[codes + i]! >> shift) & 15) | high) - lowest;
    }
  }
}

/** Scales and minima have 6 bits: those of the last four parts are split between two bytes. */
function scaleOf(bytes: Buffer, offset: number, part: number): number {
  return part < 4
    ? bytes[offset + part]! & 63
    : (bytes[offset + part + 4]! & 15) | ((bytes[offset + part - 4]! >> 6) << 4);
}

function minimumOf(bytes: Buffer, offset: number, part: number): number {
  return part < 4
    ? bytes[offset + part + 4]! & 63
    : (bytes[offset + part + 4]! >> 4) | ((bytes[offset + part]! >> 6) << 4);
}

/** The lower 4 bits of the codes, 128 bytes; the upper 2 bits, 64 bytes; 16 signed scales; their scale. */
function readQ6_K(bytes: Buffer, from: number, target: Float32Array, to: number, half: HalfAt): void {
  const scale = half(bytes, from + 208);
  for (let part = 0; part < 8; part++) {
    const [group, quarter] = [part >> 2, part & 3];
    const low = from + group * 64 + (quarter & 1) * 32;
    const high = from + 128 + group * 32;
    for (let i = 0; i < 32; i++) {
      const lower = (bytes[low + i]! >> (quarter < 2 ? 0 : 4)) & 15;
      const upper = (bytes[high + i]! >> (2 * quarter)) & 3;
      const step = scale * signed(bytes[from + 192 + part * 2 + (i >> 4)]!);
      target[to + part * 32 + i] = step * ((lower | (upper << 4)) - 32);
    }
  }
}
