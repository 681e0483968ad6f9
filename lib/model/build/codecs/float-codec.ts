import { halfToFloat } from '../../onnx/half.ts';
import type { NumberReader } from '../checkpoint/read-rows.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import type { Matrix, WeightCodec } from '../linear.ts';

/** Weights as float32, unchanged. */
export const floatCodec: WeightCodec = {
  sharesTable: true,
  async multiply(graph, input, linears) {
    const products: string[] = [];
    for (const { matrix, bias } of linears) {
      const product = graph.newName('product');
      multiply(graph, input, await store(graph, matrix), product);
      const biasName = bias && (await graph.floats(`${matrix.name}.bias`, bias));
      products.push(biasName === null ? product : graph.node('Add', [product, biasName]));
    }
    return products;
  },
  async embed(graph, ids, table, output) {
    graph.add('Gather', [await store(graph, table), ids], [output]);
  },
  async head(graph, input, table, tied, output) {
    multiply(graph, input, tied ? table.name : await store(graph, table), output);
  },
};

function store(graph: GraphBuilder, matrix: Matrix): Promise<string> {
  return graph.weight(matrix.name, 'float32', [matrix.rows, matrix.columns], bytes(matrix));
}

async function* bytes(matrix: Matrix): AsyncGenerator<Uint8Array> {
  for await (const piece of matrix.read()) {
    yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  }
}

/** onnxruntime's MatMul with a transposed weight, so that the weight is stored as it was saved. */
function multiply(graph: GraphBuilder, input: string, weight: string, output: string): void {
  graph.contrib('FusedMatMul', [input, weight], [output], { transB: { int: 1 } });
}

/** Null for types that hefix cannot use as weights. */
export function floatReader(type: string): NumberReader | null {
  if (type === 'F32') return single(4, (bytes, target) => target.set(floats(bytes, target.length)));
  if (type === 'BF16') return single(2, readBfloat16);
  if (type === 'F16') return halfReader();
  return null;
}

function single(bytes: number, read: NumberReader['read']): NumberReader {
  return { numbers: 1, bytes, read };
}

/** bfloat16 is the upper half of a float32. */
function readBfloat16(bytes: Buffer, target: Float32Array): void {
  const stored = shorts(bytes, target.length);
  const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
  for (let i = 0; i < stored.length; i++) bits[i] = stored[i]! << 16;
}

function halfReader(): NumberReader {
  const table = halfTable();
  return single(2, (bytes, target) => {
    const stored = shorts(bytes, target.length);
    for (let i = 0; i < stored.length; i++) target[i] = table[stored[i]!]!;
  });
}

/** All 65,536 half-precision numbers: for large tensors, faster than arithmetic. Made once. */
export function halfTable(): Float32Array {
  table ??= halfToFloat(
    Uint16Array.from({ length: 65_536 }, (_, bits) => bits),
    0,
  );
  return table;
}

let table: Float32Array | undefined;

function shorts(bytes: Buffer, length: number): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, length);
}

function floats(bytes: Buffer, length: number): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, length);
}
