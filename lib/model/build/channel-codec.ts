import { blockCodec } from './block-codec.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { Linear, Matrix, WeightCodec } from './linear.ts';
import { quantizeChannels } from './quantize-channels.ts';

/**
 * Weights of 8 bits with one scale for each output channel, activations of 8 bits with one scale for each
 * token, so that a token's result depends on no other token of the pass. Embeddings and the output layer
 * are kept in blocks: they share one table, which MatMulIntegerToFloat would need transposed.
 */
export const channelCodec: WeightCodec = {
  ...blockCodec({ bits: 8, blockSize: 32 }),
  async multiply(graph, input, linear, output) {
    const { codes, scale } = quantizeTokens(graph, input);
    const [weight, weightScales] = await store(graph, linear.matrix);
    const zero = graph.byte(ZERO_POINT);
    const sums = graph.fresh('sums');
    const inputs = [codes, weight, graph.float(1), weightScales, zero, zero];
    graph.contrib('MatMulIntegerToFloat', inputs, [sums]);
    await scaleTokens(graph, sums, scale, linear, output);
  },
};

/** Both factors are unsigned: without VNNI, signed weights of 8 bits overflow in onnxruntime's kernels. */
const ZERO_POINT = 128;

/** value ≈ (code − 128) · scale; value: [1, tokens, columns], scale: [1, tokens, 1] */
function quantizeTokens(graph: GraphBuilder, value: string): { codes: string; scale: string } {
  const largest = graph.node('ReduceMax', [graph.node('Abs', [value]), graph.integers([-1], [1])]);
  const scale = graph.node('Mul', [
    graph.node('Max', [largest, graph.float(SMALLEST)]),
    graph.float(1 / 127),
  ]);
  const scaled = graph.node('Div', [value, scale]);
  const codes = graph.node('QuantizeLinear', [scaled, graph.float(1), graph.byte(ZERO_POINT)]);
  return { codes, scale };
}

/** Keeps the scale of a token of zeros from being zero. */
const SMALLEST = 1e-30;

async function scaleTokens(
  graph: GraphBuilder,
  sums: string,
  scale: string,
  { matrix, bias }: Linear,
  output: string,
): Promise<void> {
  if (bias === null) return graph.add('Mul', [sums, scale], [output]);
  const product = graph.node('Mul', [sums, scale]);
  graph.add('Add', [product, await graph.floats(`${matrix.name}.bias`, bias)], [output]);
}

/** The names of the codes, uint8 [columns, rows], and of their scales, float32 [rows]. */
async function store(graph: GraphBuilder, matrix: Matrix): Promise<[codes: string, scales: string]> {
  const { name, rows, columns } = matrix;
  const scales = new Float32Array(rows);
  const codes = new Uint8Array(rows * columns);
  let row = 0;
  for await (const piece of matrix.read()) {
    quantizeChannels(piece, columns, row, codes, scales);
    row += piece.length / columns;
  }
  return [
    await graph.weight(name, 'uint8', [columns, rows], [codes]),
    await graph.floats(`${name}.scales`, scales),
  ];
}
