import type { GraphBuilder } from './graph-builder.ts';

/**
 * A matrix in the layout of torch.nn.Linear, [rows (outputs), columns (inputs)], read in chunks of whole
 * rows.
 */
export interface Matrix {
  /** Name in the graph: `layers.0.qkv`. */
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** How much an error in each column counts, [columns]: the mean square of the input; equal if omitted. */
  readonly importance?: Float32Array;
  /** Chunks of several stacked tensors; each is valid until the next one is requested. */
  read(): AsyncGenerator<Float32Array>;
}

export interface Linear {
  readonly matrix: Matrix;
  /** [rows] */
  readonly bias: Float32Array | null;
}

/** How a weight type stores matrices and computes with them. */
export interface WeightCodec {
  /** Whether a tied output layer reads the table that `embed` stored. */
  readonly sharesTable: boolean;
  /**
   * Adds the nodes that multiply `input` [1, tokens, columns] by several matrices, which may share
   * preprocessing of the input; returns the names of the products, each [1, tokens, rows].
   */
  multiply(graph: GraphBuilder, input: string, linears: readonly Linear[]): Promise<string[]>;
  /** Looks up rows of the embedding table: `ids` [1, tokens] → `output` [1, tokens, columns]. */
  embed(graph: GraphBuilder, ids: string, table: Matrix, output: string): Promise<void>;
  /** The output layer; `tied`: multiplies by the table that `embed` stored. */
  head(graph: GraphBuilder, input: string, table: Matrix, tied: boolean, output: string): Promise<void>;
}
