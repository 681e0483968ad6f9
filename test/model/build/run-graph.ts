import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Runs a built graph step by step; its cache is kept. */
export interface GraphRun {
  /** Runs one pass and returns the logits of the last `keep` rows. */
  pass(ids: readonly number[], keep?: number): Promise<{ logits: Float32Array[]; tokenIds: number[] | null }>;
  release(): Promise<void>;
}

export async function runGraph(file: string): Promise<GraphRun> {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  let past: Record<string, Tensor> = {};
  let length = 0;
  for (const input of session.inputMetadata) {
    if (!input.name.startsWith('past') || !input.isTensor) continue;
    const [, heads, , headSize] = input.shape;
    past[input.name] = new Tensor('float32', new Float32Array(0), [1, Number(heads), 0, Number(headSize)]);
  }
  return {
    async pass(ids, keep = 1) {
      length += ids.length;
      const outputs = await session.run({
        input_ids: integers(ids),
        attention_mask: integers(Array(length).fill(1)),
        num_logits_to_keep: new Tensor('int64', [BigInt(keep)], []),
        ...past,
      });
      past = Object.fromEntries(
        Object.keys(past).map(name => [name, outputs[name.replace('past_key_values', 'present')] as Tensor]),
      );
      const logits = outputs.logits as Tensor;
      const [, rows = 0, vocabulary = 0] = logits.dims;
      const data = logits.data as Float32Array;
      const tokenIds = outputs.token_ids as Tensor | undefined;
      return {
        logits: Array.from({ length: rows }, (_, row) =>
          data.subarray(row * vocabulary, (row + 1) * vocabulary),
        ),
        tokenIds: tokenIds === undefined ? null : [...(tokenIds.data as BigInt64Array)].map(Number),
      };
    },
    release: () => session.release(),
  };
}

/** int64 [1, n] */
function integers(values: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
}

export function argMax(logits: Float32Array): number {
  return logits.reduce((best, value, id) => (value > (logits[best] ?? 0) ? id : best), 0);
}

export function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - (b[i] ?? Number.NaN))), 0);
}
