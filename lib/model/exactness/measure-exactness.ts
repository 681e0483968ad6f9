import type { Exactness } from '../../core/measurements.ts';
import type { Architecture } from '../build/architecture.ts';
import type { BuiltWeightType } from '../build/build-model.ts';
import type { Checkpoint } from '../build/checkpoint/checkpoint.ts';
import { encodeModel, type ValueInfo } from '../build/onnx-proto.ts';
import { logSumExp } from '../generate/logits.ts';
import type { ModelConfig } from '../model-files.ts';
import { openDecoder } from '../onnx/decoder.ts';
import { type InferenceSession, Tensor } from '../onnx/runtime.ts';
import { openSession } from '../onnx/session.ts';

export interface MeasureOptions {
  /** The built graph. */
  readonly graph: string;
  readonly weightType: BuiltWeightType;
  readonly config: ModelConfig;
  readonly checkpoint: Checkpoint;
  readonly architecture: Architecture;
  readonly ids: readonly number[];
  /** What the float output layer reads for `ids`: [positions, hidden]. */
  readonly hidden: Float32Array;
  readonly threads: number;
  /** Receives the share of the positions that are compared. */
  readonly onCompared?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares a built graph's predictions with those of the float weights. Besides the graph, only a few chunks
 * of the output layer are in memory. Throws the errors of openDecoder, and the signal's reason if aborted.
 */
export async function measureExactness(options: MeasureOptions): Promise<Exactness> {
  const { graph, weightType, config, architecture, ids, threads, signal } = options;
  const comparison = createComparison();
  const head = await openFloatHead(threads);
  const decoder = await openDecoder(graph, config, { threads, device: 'cpu' });
  const sequence = decoder.empty.fork(0);
  try {
    const together = Math.max(1, Math.floor(LOGITS_TOGETHER / architecture.vocabulary));
    for (let start = 0; start < ids.length; start += together) {
      signal?.throwIfAborted();
      const taken = ids.slice(start, start + together);
      const { hidden } = architecture;
      const read = options.hidden.subarray(start * hidden, (start + taken.length) * hidden);
      const expected = await floatLogits(head, options, read, taken.length);
      const actual = await sequence.append(taken, taken.length);
      taken.forEach((_, position) => {
        const row = expected.subarray(
          position * architecture.vocabulary,
          (position + 1) * architecture.vocabulary,
        );
        comparison.add(row, actual.row(position));
      });
      options.onCompared?.(Math.min(1, (start + together) / ids.length));
    }
  } finally {
    await Promise.all([decoder.release(), head.release()]);
  }
  return { weightType, ...comparison.result() };
}

/** Expected logits that are in memory at a time: the output layer is read once for these. */
const LOGITS_TOGETHER = 2 ** 22;

/** read: [positions, hidden] → logits [positions, vocabulary]; the output layer is streamed. */
async function floatLogits(
  head: InferenceSession,
  { checkpoint, architecture: { hidden, vocabulary, tied } }: MeasureOptions,
  read: Float32Array,
  positions: number,
): Promise<Float32Array> {
  const logits = new Float32Array(positions * vocabulary);
  let first = 0;
  for await (const piece of checkpoint.rows(tied ? 'model.embed_tokens.weight' : 'lm_head.weight')) {
    const rows = piece.length / hidden;
    const outputs = await head.run({
      hidden: new Tensor('float32', read, [positions, hidden]),
      rows: new Tensor('float32', piece, [rows, hidden]),
    });
    const products = (outputs.logits as Tensor).data as Float32Array;
    for (let position = 0; position < positions; position++) {
      const row = products.subarray(position * rows, (position + 1) * rows);
      logits.set(row, position * vocabulary + first);
    }
    first += rows;
  }
  return logits;
}

/** hidden [positions, hidden] · rows [rows, hidden] → logits [positions, rows] */
async function openFloatHead(threads: number): Promise<InferenceSession> {
  const value = (name: string, ...dims: string[]): ValueInfo => ({ name, type: 'float32', dims });
  const product = {
    operator: 'FusedMatMul',
    domain: 'com.microsoft',
    inputs: ['hidden', 'rows'],
    outputs: ['logits'],
    attributes: { transB: { int: 1 } },
  };
  const graph = {
    name: 'head',
    nodes: [product],
    initializers: [],
    inputs: [value('hidden', 'positions', 'hidden'), value('rows', 'rows', 'hidden')],
    outputs: [value('logits', 'positions', 'rows')],
  };
  return await openSession(encodeModel(graph, 'hefix'), { threads, device: 'cpu' });
}

/** Running comparison of predictions with those of the float weights. */
interface Comparison {
  /** Logits of one position: [vocabulary] each. */
  add(expected: Float32Array, actual: Float32Array): void;
  result(): { readonly positions: number; readonly sameToken: number; readonly divergence: number };
}

export function createComparison(): Comparison {
  let positions = 0;
  let same = 0;
  let divergence = 0;
  return {
    add(expected, actual) {
      positions++;
      if (likeliest(expected) === likeliest(actual)) same++;
      divergence += klDivergence(expected, actual);
    },
    result: () => ({
      positions,
      sameToken: positions === 0 ? 1 : same / positions,
      divergence: positions === 0 ? 0 : divergence / positions,
    }),
  };
}

/** KL(expected ‖ found) of the distributions that two rows of logits give, in nats. */
function klDivergence(expected: Float32Array, actual: Float32Array): number {
  const highest = expected[likeliest(expected)]!;
  let [sum, difference] = [0, 0];
  for (let id = 0; id < expected.length; id++) {
    const weight = Math.exp(expected[id]! - highest);
    sum += weight;
    difference += weight * (expected[id]! - actual[id]!);
  }
  return Math.max(0, difference / sum - (highest + Math.log(sum)) + logSumExp(actual));
}

/** The token with the largest logit, the first of several. */
export function likeliest(logits: Float32Array): number {
  let best = 0;
  for (let id = 1; id < logits.length; id++) if (logits[id]! > logits[best]!) best = id;
  return best;
}
