import type { GraphBuilder } from './graph-builder.ts';

/** A matrix as torch.nn.Linear keeps it, [rows (outputs), columns (inputs)], read in pieces of whole rows. */
export interface Matrix {
  /** For the graph: `layers.0.qkv`. */
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** Several tensors are stacked; each piece is valid until the next is asked for. */
  read(): AsyncGenerator<Float32Array>;
}

export interface Linear {
  readonly matrix: Matrix;
  /** [rows] */
  readonly bias: Float32Array | null;
}

/** How a weight type keeps matrices and computes with them. */
export interface WeightCodec {
  /**
   * Adds the nodes that multiply `input` [1, tokens, columns] by matrices of as many columns, which may share
   * the work on the input; gives the names of the products, each [1, tokens, rows].
   */
  multiply(graph: GraphBuilder, input: string, linears: readonly Linear[]): Promise<string[]>;
  /** Takes rows of the table of embeddings: `ids` [1, tokens] → `output` [1, tokens, columns]. */
  embed(graph: GraphBuilder, ids: string, table: Matrix, output: string): Promise<void>;
  /** The output layer, which multiplies; `tied`: by the table that `embed` has stored, if it can be shared. */
  head(graph: GraphBuilder, input: string, table: Matrix, tied: boolean, output: string): Promise<void>;
}
