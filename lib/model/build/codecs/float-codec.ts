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
