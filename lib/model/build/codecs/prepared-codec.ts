import type { TensorScale } from '../checkpoint/adjusted-checkpoints.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import type { Linear, Matrix, WeightCodec } from '../linear.ts';

/**
 * The codec with prepared inputs: some columns are multiplied in float, as in LLM.int8() (arXiv 2208.07339)
 * except that they are fixed, and the rounded matrices have zeros there; matrices know how much each column
 * counts.
 */
export function preparedCodec(
  codec: WeightCodec,
  { exactColumns, importance }: Omit<Preparation, 'scales'>,
): WeightCodec {
  const weighed = (matrix: Matrix, linear: string): Matrix => {
    const counts = importance.get(linear);
    return counts === undefined ? matrix : { ...matrix, importance: counts };
  };
  return {
    ...codec,
    async multiply(graph, input, linears) {
      const first = linears[0]?.matrix.name ?? '';
      const prepared = linears.map(({ matrix, bias }) => ({ matrix: weighed(matrix, first), bias }));
      const columns = exactColumns.get(first);
      if (columns === undefined) return await codec.multiply(graph, input, prepared);
      const split = prepared.map(({ matrix, bias }) => ({ ...splitMatrix(matrix, columns), bias }));
      const rounded = split.map(({ rest, bias }): Linear => ({ matrix: rest, bias }));
      const products = await codec.multiply(graph, input, rounded);
      const taken = gather(graph, input, columns);
      const sums: string[] = [];
      for (const [index, { exact }] of split.entries()) {
        const product = await multiplyFloat(graph, taken, exact);
        sums.push(graph.node('Add', [products[index] ?? '', product]));
      }
      return sums;
    },
    async head(graph, input, table, tied, output) {
      const columns = tied ? undefined : exactColumns.get(table.name);
      if (columns === undefined) return await codec.head(graph, input, table, tied, output);
      const { rest, exact } = splitMatrix(table, columns);
      const rounded = graph.newName('product');
      await codec.head(graph, input, rest, tied, rounded);
      graph.add('Add', [rounded, await multiplyFloat(graph, gather(graph, input, columns), exact)], [output]);
    },
  };
}

interface KeptColumns {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** [rows, columns]; complete once the rest has been read. */
  readonly values: Float32Array;
}

function splitMatrix(
  matrix: Matrix,
  columns: readonly number[],
): { readonly rest: Matrix; readonly exact: KeptColumns } {
  const { name, rows } = matrix;
  const values = new Float32Array(rows * columns.length);
  async function* read(): AsyncGenerator<Float32Array> {
    let end = 0;
    for await (const piece of matrix.read()) {
      for (let start = 0; start < piece.length; start += matrix.columns) {
        for (const column of columns) {
          values[end++] = piece[start + column]!;
          piece[start + column] = 0;
        }
      }
      yield piece;
    }
  }
  const exact = { name: `${name}.exact`, rows, columns: columns.length, values };
  return { rest: { ...matrix, read }, exact };
}

/** value [1, tokens, all columns] → [1, tokens, columns] */
function gather(graph: GraphBuilder, value: string, columns: readonly number[]): string {
  return graph.node('Gather', [value, graph.integers(columns, [columns.length])], { axis: { int: -1 } });
}

async function multiplyFloat(graph: GraphBuilder, value: string, exact: KeptColumns): Promise<string> {
  const { name, rows, columns, values } = exact;
  const weight = await graph.weight(name, 'float32', [rows, columns], [new Uint8Array(values.buffer)]);
  const product = graph.newName('product');
  graph.contrib('FusedMatMul', [value, weight], [product], { transB: { int: 1 } });
  return product;
}

/** Changes to a model's weights that keep its function and make them easier to round; see exactness/smoothed-inputs.ts. */
export interface Preparation {
  /** By tensor: factors to multiply it by. */
  readonly scales: ReadonlyMap<string, TensorScale>;
  /** By linear layer, the first of those that share an input: columns whose products are computed in float. */
  readonly exactColumns: ReadonlyMap<string, readonly number[]>;
  /** By linear layer, likewise: how much an error in a column counts, [columns]. */
  readonly importance: ReadonlyMap<string, Float32Array>;
}

export const noPreparation: Preparation = {
  scales: new Map(),
  exactColumns: new Map(),
  importance: new Map(),
};
