import type { GraphBuilder } from '../graph-builder.ts';
import type { Matrix, WeightCodec } from '../linear.ts';
import { type BlockFormat, blocksPerRow, quantizeRows } from './quantize-blocks.ts';

/**
 * Integer weights in blocks with a shared scale, multiplied by MatMulNBits; GatherBlockQuantized reads
 * embeddings from the same data.
 */
export function blockCodec(format: BlockFormat): WeightCodec {
  const { bits, blockSize } = format;

  const store = async (graph: GraphBuilder, matrix: Matrix): Promise<void> => {
    const { name, rows, columns } = matrix;
    const blocks = blocksPerRow(format, columns);
    const scales = new Float32Array(rows * blocks);
    const zeroPoints = new Uint8Array(bits === 4 ? rows * Math.ceil(blocks / 2) : 0);
    async function* codes(): AsyncGenerator<Uint8Array> {
      let row = 0;
      for await (const piece of matrix.read()) {
        const quantized = quantizeRows(piece, columns, format, matrix.importance);
        scales.set(quantized.scales, row * blocks);
        if (bits === 4) zeroPoints.set(quantized.zeroPoints, row * Math.ceil(blocks / 2));
        row += piece.length / columns;
        yield quantized.codes;
      }
    }
    await graph.weight(name, 'uint8', [rows, blocks, (blockSize * bits) / 8], codes());
    await graph.weight(`${name}.scales`, 'float32', [rows, blocks], [new Uint8Array(scales.buffer)]);
    if (bits === 4) await graph.weight(`${name}.zeros`, 'uint8', [rows, Math.ceil(blocks / 2)], [zeroPoints]);
  };

  const quantizedInputs = (name: string): string[] => [
    name,
    `${name}.scales`,
    bits === 4 ? `${name}.zeros` : '',
  ];

  const multiply = (
    graph: GraphBuilder,
    input: string,
    matrix: Matrix,
    bias: string,
    output: string,
  ): void => {
    const inputs = [input, ...quantizedInputs(matrix.name), '', bias];
    while (inputs.at(-1) === '') inputs.pop();
    graph.contrib('MatMulNBits', inputs, [output], {
      K: { int: matrix.columns },
      N: { int: matrix.rows },
      bits: { int: bits },
      block_size: { int: blockSize },
      accuracy_level: { int: INTEGER_ARITHMETIC },
    });
  };

  return {
    sharesTable: true,
    async multiply(graph, input, linears) {
      const products: string[] = [];
      for (const { matrix, bias } of linears) {
        const product = graph.newName('product');
        await store(graph, matrix);
        const biasName = bias === null ? '' : await graph.floats(`${matrix.name}.bias`, bias);
        multiply(graph, input, matrix, biasName, product);
        products.push(product);
      }
      return products;
    },
    async embed(graph, ids, table, output) {
      await store(graph, table);
      const padded = blocksPerRow(format, table.columns) * blockSize;
      const flat = graph.view(`${table.name}.rows`, table.name, [table.rows, (padded * bits) / 8]);
      const [, scales = '', zeros = ''] = quantizedInputs(table.name);
      const gathered = padded === table.columns ? output : graph.newName('padded');
      const inputs = zeros === '' ? [flat, ids, scales] : [flat, ids, scales, zeros];
      graph.contrib('GatherBlockQuantized', inputs, [gathered], {
        gather_axis: { int: 0 },
        quantize_axis: { int: 1 },
        block_size: { int: blockSize },
        bits: { int: bits },
      });
      if (gathered === output) return;
      const bounds = [
        graph.integers([0], [1]),
        graph.integers([table.columns], [1]),
        graph.integers([2], [1]),
      ];
      graph.add('Slice', [gathered, ...bounds], [output]);
    },
    async head(graph, input, table, tied, output) {
      if (!tied) await store(graph, table);
      multiply(graph, input, table, '', output);
    },
  };
}

/** Activations are rounded to 8 bits per block too, so that the products are integer products. */
const INTEGER_ARITHMETIC = 4;
