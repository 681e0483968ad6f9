import { code4, type Steps4, searchSteps4 } from './steps-4-bits.ts';

/**
 * Quantises rows in blocks of consecutive numbers. Each block has its own scale and, at 4 bits, its own zero
 * point: number ≈ (code − zero point) · scale. The error is at most half a scale.
 */
export interface BlockFormat {
  readonly bits: 4 | 8;
  /** Numbers per block: a power of two, at least 16. */
  readonly blockSize: number;
}

/** A chunk of whole rows. */
export interface QuantizedRows {
  /**
   * [rows, blocks, block size · bits / 8]; at 4 bits the first of two numbers is in the lower half of the
   * byte.
   */
  readonly codes: Uint8Array;
  /** [rows, blocks] */
  readonly scales: Float32Array;
  /** [rows, blocks / 2, rounded up], two per byte; empty at 8 bits, where the zero point is 128. */
  readonly zeroPoints: Uint8Array;
}

export function blocksPerRow({ blockSize }: BlockFormat, columns: number): number {
  return Math.ceil(columns / blockSize);
}

/**
 * rows: [n, columns]; an incomplete last block is padded with zeros. With the importance of each column, the
 * scales of 4 bits are those with the smallest weighted square error, where a few numbers may lie outside the
 * codes' range.
 */
export function quantizeRows(
  rows: Float32Array,
  columns: number,
  format: BlockFormat,
  importance?: Float32Array,
): QuantizedRows {
  const count = rows.length / columns;
  const blocks = blocksPerRow(format, columns);
  const { bits, blockSize } = format;
  const quantized = {
    codes: new Uint8Array((count * blocks * blockSize * bits) / 8),
    scales: new Float32Array(count * blocks),
    zeroPoints: new Uint8Array(bits === 4 ? count * Math.ceil(blocks / 2) : 0),
  };
  for (let row = 0; row < count; row++) {
    for (let block = 0; block < blocks; block++) {
      const start = row * columns + block * blockSize;
      const end = Math.min(start + blockSize, (row + 1) * columns);
      if (bits === 8) {
        quantizeBlock8(rows, start, end, quantized, row, block, blocks, blockSize);
      } else {
        const steps = searchSteps4(rows, start, end, importance, block * blockSize);
        quantizeBlock4(rows, start, end, quantized, steps, row, block, blocks, blockSize);
      }
    }
  }
  return quantized;
}

function quantizeBlock4(
  rows: Float32Array,
  start: number,
  end: number,
  { codes, scales, zeroPoints }: QuantizedRows,
  { scale, zero }: Steps4,
  row: number,
  block: number,
  blocks: number,
  blockSize: number,
): void {
  const inverse = scale === 0 ? 0 : 1 / scale;
  const index = row * blocks + block;
  scales[index] = scale;
  zeroPoints[row * Math.ceil(blocks / 2) + (block >> 1)]! |= block % 2 === 0 ? zero : zero << 4;
  let offset = (index * blockSize) >> 1;
  const shift = zero + 0.5;
  for (let i = start; i < end; i += 2) {
    const first = code4(rows[i]! * inverse + shift);
    const second = i + 1 < end ? code4(rows[i + 1]! * inverse + shift) : zero;
    codes[offset++] = first | (second << 4);
  }
  const filled = (index + 1) * (blockSize >> 1);
  while (offset < filled) codes[offset++] = zero * 17;
}

/** Codes 1 to 255, centred on 128. */
function quantizeBlock8(
  rows: Float32Array,
  start: number,
  end: number,
  { codes, scales }: QuantizedRows,
  row: number,
  block: number,
  blocks: number,
  blockSize: number,
): void {
  let largest = 0;
  for (let i = start; i < end; i++) {
    const size = Math.abs(rows[i]!);
    if (size > largest) largest = size;
  }
  const scale = Math.fround(largest / 127);
  const inverse = scale === 0 ? 0 : 1 / scale;
  const index = row * blocks + block;
  scales[index] = scale;
  let offset = index * blockSize;
  for (let i = start; i < end; i++) codes[offset++] = Math.min(255, (rows[i]! * inverse + 128.5) | 0);
  codes.fill(128, offset, (index + 1) * blockSize);
}
