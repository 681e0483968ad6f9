import type { GraphBuilder } from '../graph-builder.ts';
import type { Matrix, WeightCodec } from '../linear.ts';
import { blockCodec } from './block-codec.ts';

/**
 * 8-bit weights with one scale per output channel and 8-bit activations with one scale per token, so that a
 * token's result does not depend on the other tokens of the pass.
 * MatMulIntegerToFloat reads transposed weights, which embeddings cannot be gathered from. The embedding
 * table is therefore also stored in blocks; a run touches only the rows of its tokens.
 * Activations are unsigned and weights signed because onnxruntime has its fastest kernels for this
 * combination. Where those saturate, openSession in session.ts makes onnxruntime use others.
 */
export const channelCodec: WeightCodec = {
  sharesTable: false,
  async multiply(graph, input, linears) {
    const tokens = quantizeTokens(graph, input);
    const products: string[] = [];
    for (const { matrix, bias } of linears) {
      const product = graph.newName('product');
      await multiply(graph, tokens, matrix, product);
      const biasName = bias && (await graph.floats(`${matrix.name}.bias`, bias));
      products.push(biasName === null ? product : graph.node('Add', [product, biasName]));
    }
    return products;
  },
  embed: blockCodec({ bits: 8, blockSize: 128 }).embed,
  async head(graph, input, table, _tied, output) {
    await multiply(graph, quantizeTokens(graph, input), { ...table, name: 'head' }, output);
  },
};

interface QuantizedTokens {
  /** uint8 [1, tokens, columns] */
  readonly codes: string;
  /** float32 [1, tokens, 1] */
  readonly largest: string;
}

async function multiply(
  graph: GraphBuilder,
  { codes, largest }: QuantizedTokens,
  matrix: Matrix,
  output: string,
): Promise<void> {
  const [weight, weightScales] = await store(graph, matrix);
  const sums = graph.newName('sums');
  const inputs = [codes, weight, graph.float(STEP), weightScales, graph.byte(ZERO_POINT)];
  graph.contrib('MatMulIntegerToFloat', inputs, [sums]);
  graph.add('Mul', [sums, largest], [output]);
}

/** value ≈ (code − 128) · largest / 127. Few nodes: each takes time for a lone token. */
function quantizeTokens(graph: GraphBuilder, value: string): QuantizedTokens {
  const last = graph.integers([-1], [1]);
  const highest = graph.node('ReduceMax', [graph.node('Abs', [value]), last]);
  const largest = graph.node('Max', [highest, graph.float(SMALLEST)]);
  const scaled = graph.node('Div', [value, largest]);
  const codes = graph.node('QuantizeLinear', [scaled, graph.float(STEP), graph.byte(ZERO_POINT)]);
  return { codes, largest };
}

const ZERO_POINT = 128;
const STEP = 1 / 127;

/** Divides an all-zero token. */
const SMALLEST = 1e-30;

/** Names of the codes, int8 [columns, rows], and of their scales, float32 [rows]. */
async function store(graph: GraphBuilder, matrix: Matrix): Promise<[codes: string, scales: string]> {
  const { name, rows, columns } = matrix;
  const scales = new Float32Array(rows);
  const codes = new Int8Array(rows * columns);
  let row = 0;
  for await (const piece of matrix.read()) {
    quantizeChannels(piece, columns, row, codes, scales);
    row += piece.length / columns;
  }
  return [
    await graph.weight(name, 'int8', [columns, rows], [new Uint8Array(codes.buffer)]),
    await graph.floats(`${name}.scales`, scales),
  ];
}

/**
 * Quantises rows [n, columns] of a matrix to 8 bits, -127 to 127, with one scale per row: number ≈ code ·
 * scale, with an error of at most half a scale. Row i of the chunk becomes column `firstRow` + i of `codes`
 * [columns, rows], the layout that MatMulIntegerToFloat reads.
 */
export function quantizeChannels(
  piece: Float32Array,
  columns: number,
  firstRow: number,
  codes: Int8Array,
  scales: Float32Array,
): void {
  const count = piece.length / columns;
  const rows = scales.length;
  const inverses = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    let largest = 0;
    for (let i = row * columns; i < (row + 1) * columns; i++) {
      const size = Math.abs(piece[i]!);
      if (size > largest) largest = size;
    }
    const scale = Math.fround(largest / 127);
    scales[firstRow + row] = scale;
    inverses[row] = scale === 0 ? 0 : 1 / scale;
  }
  // Some rows at a time: their numbers stay in the processor's cache while each column is written.
  for (let first = 0; first < count; first += ROWS_TOGETHER) {
    const end = Math.min(count, first + ROWS_TOGETHER);
    for (let column = 0; column < columns; column++) {
      const start = column * rows + firstRow;
      for (let row = first; row < end; row++) {
        // Faster than Math.round; the sum is positive.
        codes[start + row] = ((piece[row * columns + column]! * inverses[row]! + 128.5) | 0) - 128;
      }
    }
  }
}

const ROWS_TOGETHER = 64;
