import { InferenceSession, Tensor } from 'onnxruntime-node';
import { modelDataIncomplete, modelGraphUnexpected, modelOnnxInvalid } from '../errors.ts';
import { type CacheSlot, type Graph, readGraph } from './decoder-graph.ts';
import { halfToFloat } from './half.ts';
import type { ModelConfig } from './model-files.ts';

/**
 * Keys and values of the tokens seen so far. It is never changed, so that a prompt's cache can be
 * continued more than once.
 */
export interface KvCache {
  /** Tokens. */
  readonly length: number;
  /** For each of the graph's slots: [1, key-value heads, length, head size]. */
  readonly tensors: readonly Tensor[];
}

export interface Step {
  /** Of the last token: float [vocabulary]. */
  readonly logits: Float32Array;
  readonly cache: KvCache;
}

export interface Decoder {
  /** Of no tokens. */
  readonly emptyCache: KvCache;
  /** One pass over at least one token that follows those in the cache. */
  forward(ids: readonly number[], cache: KvCache): Promise<Step>;
  release(): Promise<void>;
}

/**
 * Opens an ONNX file of a decoder with a key-value cache.
 * Throws MODEL_ONNX_INVALID, MODEL_DATA_INCOMPLETE and MODEL_GRAPH_UNEXPECTED.
 */
export async function openDecoder(file: string, config: ModelConfig, threads: number): Promise<Decoder> {
  const session = await openSession(file, threads);
  const graph = readGraph(session, config, file);
  return {
    emptyCache: { length: 0, tensors: graph.cacheSlots.map(emptyTensor) },
    forward: (ids, cache) => forward(session, graph, ids, cache, file),
    release: () => session.release(),
  };
}

async function openSession(file: string, threads: number): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(file, { intraOpNumThreads: threads, logSeverityLevel: FATAL });
  } catch (cause) {
    const words = plainReason(cause);
    throw /external (data|initializer)/i.test(words)
      ? modelDataIncomplete(file, words)
      : modelOnnxInvalid(file, words);
  }
}

/** What onnxruntime said, without the places in its own sources that it puts first. */
function plainReason(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  return words
    .replace(/^.*\.cc:\d+ (?:[\w:]+\(.*\)|\S+) /s, '')
    .trim()
    .replace(/\.$/, '');
}

/** onnxruntime prints to stderr below this level; what goes wrong is thrown as well. */
const FATAL = 4;

async function forward(
  session: InferenceSession,
  graph: Graph,
  ids: readonly number[],
  cache: KvCache,
  file: string,
): Promise<Step> {
  const length = cache.length + ids.length;
  const feeds: Record<string, Tensor> = { input_ids: integers(ids) };
  if (graph.takes.attentionMask) feeds.attention_mask = integers(Array(length).fill(1));
  if (graph.takes.positionIds) feeds.position_ids = integers(ids.map((_, index) => cache.length + index));
  if (graph.takes.logitsToKeep) feeds.num_logits_to_keep = new Tensor('int64', [1n], []);
  graph.cacheSlots.forEach((slot, index) => {
    const past = cache.tensors[index];
    if (past !== undefined) feeds[slot.past] = past;
  });
  const outputs = await session.run(feeds);
  const tensors = graph.cacheSlots.map(slot => present(outputs, slot.present, file));
  return { logits: lastRow(present(outputs, 'logits', file), file), cache: { length, tensors } };
}

function present(outputs: InferenceSession.OnnxValueMapType, name: string, file: string): Tensor {
  const value = outputs[name];
  if (value instanceof Tensor) return value;
  throw modelGraphUnexpected(file, `gave no ${name}`);
}

/** int64 [1, n] */
function integers(values: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
}

/** [1, key-value heads, 0, head size] */
function emptyTensor({ type, heads, headSize }: CacheSlot): Tensor {
  const data = type === 'float16' ? new Uint16Array(0) : new Float32Array(0);
  return new Tensor(type, data, [1, heads, 0, headSize]);
}

/** logits: [1, rows, vocabulary] */
function lastRow(logits: Tensor, file: string): Float32Array {
  const vocabulary = logits.dims.at(-1) ?? 0;
  const { data } = logits;
  const start = data.length - vocabulary;
  if (data instanceof Float32Array) return data.subarray(start);
  if (logits.type === 'float16' && ArrayBuffer.isView(data)) return halfToFloat(data, start);
  throw modelGraphUnexpected(file, `gives logits of type ${logits.type}`);
}
