import type { Architecture } from './architecture.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { WeightCodec } from './linear.ts';
import type { ModelWeights } from './model-weights.ts';

/** What the parts of a decoder's graph are written with. */
export interface DecoderParts {
  readonly graph: GraphBuilder;
  readonly architecture: Architecture;
  readonly weights: ModelWeights;
  readonly codec: WeightCodec;
}
