import { Tensor } from '../../../lib/model/onnx/runtime.ts';
import { openSession } from '../../../lib/model/onnx/session.ts';

/** Runs a built graph step by step; its cache is kept. */
export interface GraphRun {
  /** Runs one pass and returns the logits of the last `keep` rows. */
  pass(ids: readonly number[], keep?: number): Promise<{ logits: Float32Array[] }>;
  release(): Promise<void>;
}

export async function runGraph(file: string): Promise<GraphRun> {
  const session = await openSession(file, { threads: 1, device: 'cpu' });
  const names = session.inputNames.filter(name => name.startsWith('past'));
  const [, heads = 0, , headSize = 0] = session.inputMetadata.flatMap(input =>
    input.isTensor && input.name === names[0] ? input.shape.map(Number) : [],
  );
  /** For each name and head, the rows of all tokens so far. */
  const cache = names.map(() => Array.from({ length: heads }, (): number[] => []));
  let length = 0;
  return {
    async pass(ids, keep = 1) {
      // One position is more than are in use.
      const past = names.map((name, index) => {
        const rows = cache[index]?.flatMap(head => [...head, ...Array(headSize).fill(0)]) ?? [];
        return [name, new Tensor('float32', rows, [1, heads, length + 1, headSize])] as const;
      });
      const outputs = await session.run({
        input_ids: integers(ids),
        position_ids: integers(ids.map((_, index) => length + index)),
        num_logits_to_keep: new Tensor('int64', [BigInt(keep)], []),
        ...Object.fromEntries(past),
      });
      length += ids.length;
      const added = outputs.new_key_values?.data as Float32Array;
      const size = ids.length * headSize;
      for (const [index, head] of cache.flat().entries()) {
        head.push(...added.subarray(index * size, (index + 1) * size));
      }
      const logits = outputs.logits as Tensor;
      const [, rows = 0, vocabulary = 0] = logits.dims;
      const data = logits.data as Float32Array;
      return {
        logits: Array.from({ length: rows }, (_, row) =>
          data.subarray(row * vocabulary, (row + 1) * vocabulary),
        ),
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
