import { modelFileInvalid } from '../../errors.ts';
import type { Architecture } from '../architecture.ts';
import { type Checkpoint, product } from './checkpoint.ts';

/**
 * The checkpoint with an architecture's constants multiplied into the weights, so that the graph needs no nodes for
 * them. With a tied output layer, the final norm takes back what the embeddings were multiplied by.
 */
export function foldedCheckpoint(checkpoint: Checkpoint, architecture: Architecture): Checkpoint {
  const { constants, tensors, tied } = architecture;
  const { finalNorm, attentionOutput, convolution, down } = tensors;
  const norms = new Set([
    tensors.beforeAttention,
    tensors.afterAttention,
    tensors.beforeFeedForward,
    tensors.afterFeedForward,
    ...tensors.headNorms,
  ]);
  const outputs = new Set([attentionOutput, convolution[2], down]);
  /** A number becomes (number + plus) · times. */
  const foldOf = (name: string): { plus: number; times: number } | null => {
    const tensor = name.replace(/\.(?:weight|bias)$/, '');
    const ofLayer = tensor.replace(/^model\.layers\.\d+\./, '');
    if (tensor === 'model.embed_tokens') return { plus: 0, times: constants.embedding };
    if (tensor === finalNorm) {
      return { plus: constants.norms, times: constants.logits / (tied ? constants.embedding : 1) };
    }
    if (norms.has(ofLayer)) return { plus: constants.norms, times: 1 };
    return outputs.has(ofLayer) ? { plus: 0, times: constants.residual } : null;
  };
  return {
    ...checkpoint,
    async *rows(name) {
      const fold = foldOf(name);
      if (fold === null || (fold.plus === 0 && fold.times === 1)) return yield* checkpoint.rows(name);
      for await (const piece of checkpoint.rows(name)) {
        for (let i = 0; i < piece.length; i++) piece[i] = (piece[i]! + fold.plus) * fold.times;
        yield piece;
      }
    },
  };
}

/** Throws MODEL_FILE_INVALID if there are biases where config.json denies them, or none where it wants them. */
export function assertBiases(checkpoint: Checkpoint, { biases }: Architecture, path: string): void {
  for (const [part, expected] of Object.entries(biases)) {
    if (expected === null) continue;
    const pattern = new RegExp(`^model\\.layers\\.\\d+\\.${part}\\.[qkvocgudf]\\w*_(?:proj|fc)\\.bias$`);
    if ([...checkpoint.names].some(name => pattern.test(name)) === expected) continue;
    throw modelFileInvalid(
      path,
      `config.json ${expected ? 'asks for' : 'denies'} biases of ${part}, which it ${expected ? 'lacks' : 'has'}`,
    );
  }
}

/** Factors by which a tensor is multiplied while it is read. */
export interface TensorScale {
  /** One for each element of the last dimension. */
  readonly columns?: Float32Array | undefined;
  /** One for each row. */
  readonly rows?: Float32Array | undefined;
}

/** The checkpoint with some of its tensors multiplied. */
export function scaledCheckpoint(
  checkpoint: Checkpoint,
  scales: ReadonlyMap<string, TensorScale>,
): Checkpoint {
  return {
    ...checkpoint,
    async *rows(name) {
      const scale = scales.get(name);
      if (scale === undefined) return yield* checkpoint.rows(name);
      const columns = checkpoint.shape(name)?.at(-1) ?? 1;
      const ofColumns = new Float32Array(columns).fill(1);
      ofColumns.set(scale.columns ?? []);
      let row = 0;
      for await (const piece of checkpoint.rows(name)) {
        for (let start = 0; start < piece.length; start += columns, row++) {
          const ofRow = scale.rows?.[row] ?? 1;
          for (let i = 0; i < columns; i++) piece[start + i]! *= ofRow * ofColumns[i]!;
        }
        yield piece;
      }
    },
  };
}

/** The checkpoint with the embedding table under the name of the output layer as well, which counts as weights. */
export function withOwnHead(checkpoint: Checkpoint): Checkpoint {
  const stored = (name: string) => (name === HEAD ? 'model.embed_tokens.weight' : name);
  const table = checkpoint.names.has(HEAD)
    ? 0
    : product(checkpoint.shape('model.embed_tokens.weight') ?? [0]);
  return {
    ...checkpoint,
    totalWeights: checkpoint.totalWeights + table,
    names: new Set([...checkpoint.names, HEAD]),
    shape: name => checkpoint.shape(stored(name)),
    rows: name => checkpoint.rows(stored(name)),
  };
}

const HEAD = 'lm_head.weight';
