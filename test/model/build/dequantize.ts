import {
  type BlockFormat,
  blocksPerRow,
  type QuantizedRows,
} from '../../../lib/model/build/codecs/quantize-blocks.ts';

/** The numbers that blocks of codes represent, implemented only from the description of the format. */
export function dequantizeRows(quantized: QuantizedRows, columns: number, format: BlockFormat): Float32Array {
  const { bits, blockSize } = format;
  const { codes, scales, zeroPoints } = quantized;
  const blocks = blocksPerRow(format, columns);
  const rows = scales.length / blocks;
  const half = (bytes: Uint8Array, index: number): number =>
    ((bytes[index >> 1] ?? 0) >> (index % 2 === 0 ? 0 : 4)) & 15;
  return Float32Array.from({ length: rows * columns }, (_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    const block = Math.floor(column / blockSize);
    const at = (row * blocks + block) * blockSize + (column % blockSize);
    const scale = scales[row * blocks + block] ?? Number.NaN;
    if (bits === 8) return ((codes[at] ?? 0) - 128) * scale;
    return (half(codes, at) - half(zeroPoints, row * 2 * Math.ceil(blocks / 2) + block)) * scale;
  });
}
