import type { Checkpoint } from './checkpoint.ts';

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
      let row = 0;
      for await (const piece of checkpoint.rows(name)) {
        for (let start = 0; start < piece.length; start += columns, row++) {
          const ofRow = scale.rows?.[row] ?? 1;
          for (let i = 0; i < columns; i++) piece[start + i]! *= ofRow * (scale.columns?.[i] ?? 1);
        }
        yield piece;
      }
    },
  };
}

/** The checkpoint with the embedding table under the name of the output layer as well. */
export function withOwnHead(checkpoint: Checkpoint): Checkpoint {
  const stored = (name: string) => (name === HEAD ? 'model.embed_tokens.weight' : name);
  return {
    ...checkpoint,
    names: new Set([...checkpoint.names, HEAD]),
    shape: name => checkpoint.shape(stored(name)),
    rows: name => checkpoint.rows(stored(name)),
  };
}

const HEAD = 'lm_head.weight';
