import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../lib/core/random.ts';
import { quantizeChannels } from '../../../lib/model/build/codecs/channel-codec.ts';
import {
  type BlockFormat,
  blocksPerRow,
  type QuantizedRows,
  quantizeRows,
} from '../../../lib/model/build/codecs/quantize-blocks.ts';
import { dequantizeRows } from './dequantize.ts';

const formats: BlockFormat[] = [
  { bits: 4, blockSize: 32 },
  { bits: 4, blockSize: 128 },
  { bits: 8, blockSize: 128 },
];

/** Rows of ordinary weights, all-zero, one-sided, tiny and with outliers. */
const matrix = fc
  .integer({ min: 1, max: 150 })
  .chain(columns =>
    fc
      .array(
        fc.array(
          fc.oneof(
            fc.float({ min: -1, max: 1, noNaN: true }),
            fc.constant(0),
            fc.float({ min: 0, max: 100, noNaN: true }),
            fc.constant(Math.fround(1e-30)),
          ),
          { minLength: columns, maxLength: columns },
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map(rows => ({ columns, rows: Float32Array.from(rows.flat()) })),
  );

/** Half a step, plus float32's rounding of numbers of this size. */
function tolerance(scale: number, value: number): number {
  return scale / 2 + Math.abs(value) * 1e-6 + 1e-37;
}

describe.each(formats)('$bits bits in blocks of $blockSize', format => {
  test('has errors of at most half a step of each block', () => {
    fc.assert(
      fc.property(matrix, ({ columns, rows }) => {
        const quantized = quantizeRows(rows, columns, format);
        const back = dequantizeRows(quantized, columns, format);
        const blocks = blocksPerRow(format, columns);
        rows.forEach((value, i) => {
          const block = Math.floor(i / columns) * blocks + Math.floor((i % columns) / format.blockSize);
          const off = Math.abs(value - (back[i] ?? Number.NaN));
          expect(off).toBeLessThanOrEqual(tolerance(quantized.scales[block] ?? 0, value));
        });
      }),
    );
  });

  test('keeps zero', () => {
    const rows = Float32Array.from({ length: 256 }, (_, i) => (i % 3 === 0 ? 0 : Math.sin(i)));
    const back = dequantizeRows(quantizeRows(rows, 256, format), 256, format);
    rows.forEach((value, i) => {
      if (value === 0) expect(back[i]).toBe(0);
    });
  });
});

test('8 bits by channel: errors are at most half a step of each channel', () => {
  fc.assert(
    fc.property(matrix, ({ columns, rows }) => {
      const count = rows.length / columns;
      const codes = new Int8Array(rows.length);
      const scales = new Float32Array(count);
      quantizeChannels(rows, columns, 0, codes, scales);
      rows.forEach((value, i) => {
        const [row, column] = [Math.floor(i / columns), i % columns];
        const scale = scales[row] ?? Number.NaN;
        const back = (codes[column * count + row] ?? Number.NaN) * scale;
        expect(Math.abs(value - back)).toBeLessThanOrEqual(tolerance(scale, value));
      });
    }),
  );
});

test.each([32, 128])('4 bits in blocks of %i: importance lowers the error of what counts', blockSize => {
  const format = { bits: 4, blockSize } as const;
  fc.assert(
    fc.property(matrix, fc.integer({ min: 1, max: 1000 }), ({ columns, rows }, seed) => {
      const random = seededRandom(seed);
      const importance = Float32Array.from({ length: columns }, () => random() ** 4);
      const error = (quantized: QuantizedRows): number =>
        dequantizeRows(quantized, columns, format).reduce(
          (sum, value, i) => sum + (importance[i % columns] ?? 0) * (value - (rows[i] ?? 0)) ** 2,
          0,
        );
      const plain = error(quantizeRows(rows, columns, format));
      const weighed = error(quantizeRows(rows, columns, format, importance));
      expect(weighed).toBeLessThanOrEqual(plain * (1 + 1e-5) + 1e-37);
    }),
  );
});

test('4 bits: numbers read from Q4_0 blocks keep their values', () => {
  const format: BlockFormat = { bits: 4, blockSize: 32 };
  const random = seededRandom(1);
  for (const scale of [0.0123291015625, -0.0123291015625]) {
    // The quantiser gives the largest magnitude the code 0.
    const codes = Array.from({ length: 32 }, (_, i) => (i === 5 ? 0 : Math.floor(16 * random())));
    const rows = Float32Array.from(codes, code => scale * (code - 8) + 0);
    const quantized = quantizeRows(rows, 32, format, new Float32Array(32).fill(1));
    expect(dequantizeRows(quantized, 32, format)).toEqual(rows);
  }
});
