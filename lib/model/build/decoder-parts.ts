import type { Architecture } from './architecture.ts';
import type { ModelWeights } from './checkpoint/model-weights.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { WeightCodec } from './linear.ts';

/** Shared by the functions that write parts of a decoder's graph. */
export interface DecoderParts {
  readonly graph: GraphBuilder;
  readonly architecture: Architecture;
  readonly weights: ModelWeights;
  readonly codec: WeightCodec;
}
