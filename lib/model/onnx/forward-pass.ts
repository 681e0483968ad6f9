import { ofSequence, SEQUENCES } from '../build/attention/attention-sequences.ts';
import { modelGraphUnexpected } from '../errors.ts';
import { cacheTensor } from './cache/cache-tensor.ts';
import { type CacheSlot, type Graph, NEW_KEY_VALUES } from './decoder-graph.ts';
import { halfToFloat } from './half.ts';
import { type InferenceSession, type Outputs, Tensor } from './runtime.ts';
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

export function output(outputs: Outputs, name: string, file: string): Tensor {
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

/** One pass over the new tokens of up to `SEQUENCES` sequences; the outputs are in the order of the inputs. */
export type SequencesPass = (inputs: readonly PassInput[]) => Promise<PassOutput[]>;

/** Of a graph with the inputs and outputs of build/attention/attention-sequences.ts. */
export function createSequencesPass(
  session: InferenceSession,
  slots: readonly CacheSlot[],
  file: string,
): SequencesPass {
  const noPast = slots.map(slot => cacheTensor(slot, 1));
  const pastNames = Array.from({ length: SEQUENCES }, (_, sequence) =>
    slots.map(slot => ofSequence(slot.past, sequence)),
  );
  allowMissing(session, pastNames.slice(1).flat());
  return async inputs => {
    const counts = Array.from({ length: SEQUENCES }, (_, index) => inputs[index]?.ids.length ?? 0);
    const ids = inputs.flatMap(input => input.ids);
    const total = ids.length;
    const positions = inputs.flatMap(({ ids, position }) => ids.map((_, index) => position + index));
    const rows: number[] = [];
    let end = 0;
    for (const input of inputs) {
      end += input.ids.length;
      for (let row = end - input.rows; row < end; row++) rows.push(row);
    }
    const feeds: Record<string, Tensor> = {
      input_ids: integers(ids),
      position_ids: integers(positions),
      new_tokens: integers(counts, [SEQUENCES]),
      past_tokens: integers(
        counts.map((_, index) => inputs[index]?.position ?? 0),
        [SEQUENCES],
      ),
      rows_to_keep: integers(rows, [rows.length]),
    };
    (inputs.length === 1 ? pastNames.slice(0, 1) : pastNames).forEach((names, sequence) => {
      const past = inputs[sequence]?.past ?? noPast;
      names.forEach((name, index) => {
        const tensor = past[index];
        if (tensor !== undefined) feeds[name] = tensor;
      });
    });
    const outputs = await session.run(feeds, ['logits', NEW_KEY_VALUES]);
    const logits = lastRows(output(outputs, 'logits', file), rows.length, file);
    const added = output(outputs, NEW_KEY_VALUES, file);
    let [row, token] = [0, 0];
    return inputs.map(({ rows, ids }) => {
      const [firstRow, firstToken] = [row, token];
      row += rows;
      token += ids.length;
      return {
        logits: { rows, row: index => logits.row(firstRow + index) },
        present: [ids.length === total ? added : tokensOf(added, firstToken, ids.length)],
      };
    });
  };
}

/**
 * ONNX Runtime needs no input that only the other branch of an If reads, but its JavaScript part asks for all of
 * them. Each input takes about 2 µs of a pass.
 */
function allowMissing(session: InferenceSession, names: readonly string[]): void {
  const inputNames = session.inputNames.filter(name => !names.includes(name));
  Object.defineProperty(session, 'inputNames', { value: inputNames });
}

/** [cache tensors, key-value heads, new of all, head size] → [cache tensors, key-value heads, count, head size] */
function tokensOf({ data, dims }: Tensor, first: number, count: number): Tensor {
  const [slots = 0, heads = 0, tokens = 0, headSize = 0] = dims;
  const all = data as Float32Array;
  const copied = new Float32Array(slots * heads * count * headSize);
  for (let head = 0; head < slots * heads; head++) {
    const start = (head * tokens + first) * headSize;
    copied.set(all.subarray(start, start + count * headSize), head * count * headSize);
  }
  return new Tensor('float32', copied, [slots, heads, count, headSize]);
}

/** The cache of one sequence. */
export function sequenceSlots(session: InferenceSession, file: string): CacheSlot[] {
  const first = ofSequence('', 0);
  return session.inputMetadata.flatMap(input => {
    if (!input.name.startsWith(`${first}past_key_values`)) return [];
    const [, heads, , headSize] = input.isTensor ? input.shape : [];
    if (typeof heads !== 'number' || typeof headSize !== 'number') {
      throw modelGraphUnexpected(file, `wants ${input.name} of unknown size`);
    }
    return [{ past: input.name.slice(first.length), present: null, type: 'float32', heads, headSize }];
  });
}
