import type { Graph } from './decoder-graph.ts';
import { modelGraphUnexpected } from './errors.ts';
import { halfToFloat } from './half.ts';
import { type InferenceSession, Tensor } from './runtime.ts';
import type { Logits } from './sequence.ts';

export interface PassInput {
  /** At least one new token. */
  readonly ids: readonly number[];
  /** Position of the first new token, that is, the number of tokens before it. */
  readonly position: number;
  /** For each position, past and new: 1 if it is visible. */
  readonly mask: Uint8Array;
  /** For each cache tensor of the graph, in the layout of its input. */
  readonly past: readonly Tensor[];
  /** Buffers that the graph writes its caches to; null if it allocates them. */
  readonly into: readonly Tensor[] | null;
  /** Number of last tokens to return logits for. */
  readonly rows: number;
}

export interface PassOutput {
  readonly logits: Logits;
  /** The whole caches; a single tensor with the new rows of all if the graph returns only these. */
  readonly present: readonly Tensor[];
}

export type ForwardPass = (input: PassInput) => Promise<PassOutput>;

/** One run of the graph. Outputs are requested by name, so that no others are copied. */
export function createForwardPass(session: InferenceSession, graph: Graph, file: string): ForwardPass {
  const { cacheSlots, takes, newRows } = graph;
  const presentNames = newRows ? [newRows] : cacheSlots.flatMap(({ present }) => present ?? []);
  return async ({ ids, position, mask, past, into, rows }) => {
    const feeds: Record<string, Tensor> = { input_ids: integers(ids) };
    if (takes.attentionMask) feeds.attention_mask = integers(mask);
    if (takes.positionIds) feeds.position_ids = integers(ids.map((_, index) => position + index));
    if (takes.logitsToKeep) feeds.num_logits_to_keep = new Tensor('int64', [BigInt(rows)], []);
    const fetches: Record<string, Tensor | null> = { logits: null };
    cacheSlots.forEach((slot, index) => {
      const tensor = past[index];
      if (tensor !== undefined) feeds[slot.past] = tensor;
    });
    presentNames.forEach((name, index) => {
      fetches[name] = into?.[index] ?? null;
    });
    const outputs = await session.run(feeds, fetches);
    return {
      logits: lastRows(output(outputs, 'logits', file), rows, file),
      present: into ?? presentNames.map(name => output(outputs, name, file)),
    };
  };
}

export function output(outputs: InferenceSession.OnnxValueMapType, name: string, file: string): Tensor {
  const value = outputs[name];
  if (value instanceof Tensor) return value;
  throw modelGraphUnexpected(file, `gave no ${name}`);
}

/** int64 [1, n], or with other dimensions */
export function integers(values: ArrayLike<number>, dims = [1, values.length]): Tensor {
  const numbers = new BigInt64Array(values.length);
  for (let index = 0; index < values.length; index++) numbers[index] = BigInt(values[index]!);
  return new Tensor('int64', numbers, dims);
}

/** logits: [1, at least `rows`, vocabulary] */
export function lastRows(logits: Tensor, rows: number, file: string): Logits {
  const vocabulary = logits.dims.at(-1) ?? 0;
  const { data } = logits;
  const start = data.length - rows * vocabulary;
  if (start < 0) throw modelGraphUnexpected(file, `gave fewer than ${rows} rows of logits`);
  const numbers =
    data instanceof Float32Array
      ? data.subarray(start)
      : logits.type === 'float16' && ArrayBuffer.isView(data)
        ? halfToFloat(data, start)
        : null;
  if (numbers === null) throw modelGraphUnexpected(file, `gives logits of type ${logits.type}`);
  return { rows, row: index => numbers.subarray(index * vocabulary, (index + 1) * vocabulary) };
}
