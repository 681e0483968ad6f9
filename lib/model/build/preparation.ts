import type { TensorScale } from './checkpoint/adjusted-checkpoints.ts';

/** Changes to a model's weights that keep its function and make them easier to round; see calibrate.ts. */
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
