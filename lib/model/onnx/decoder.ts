import type { InferenceSession } from 'onnxruntime-node';
import type { ModelConfig } from '../model-files.ts';
import { readGraph } from './decoder-graph.ts';
import { createForwardPass } from './forward-pass.ts';
import { growingKvCache } from './kv-cache-growing.ts';
import { inPlaceKvCache } from './kv-cache-in-place.ts';
import { readOnnxLayout } from './onnx-layout.ts';
import { keepLastRows } from './rewrite-logits.ts';
import type { Sequence } from './sequence.ts';
import { openSession, type SessionOptions } from './session.ts';

export interface Decoder {
  /** Of no tokens. */
  readonly empty: Sequence;
  release(): Promise<void>;
}

export interface DecoderOptions extends SessionOptions {
  /** A folder for graphs that give the last rows of logits alone, made of those that give all; null makes none. */
  readonly graphs?: string | null;
}

/**
 * Opens an ONNX file of a decoder with a key-value cache.
 * Throws MODEL_ONNX_INVALID, MODEL_DATA_INCOMPLETE, MODEL_DEVICE_UNAVAILABLE and MODEL_GRAPH_UNEXPECTED.
 */
export async function openDecoder(
  file: string,
  config: ModelConfig,
  { graphs = null, ...options }: DecoderOptions,
): Promise<Decoder> {
  const session = await openLastRowsSession(file, graphs, options);
  const graph = readGraph(session, config, file);
  const pass = createForwardPass(session, graph, file);
  const attention = await readAttention(file);
  const maskHides = attention === 'masked' && graph.takes.attentionMask && graph.takes.positionIds;
  return {
    empty:
      // Another device has memory of its own, where the past is never what the present is written to.
      attention === 'counted' && options.device === 'cpu'
        ? inPlaceKvCache(pass, graph.cacheSlots)
        : growingKvCache(pass, graph.cacheSlots, maskHides),
    release: () => session.release(),
  };
}

/**
 * What a graph makes of its mask. `masked`: attention is written with ONNX's own operators, which leave out
 * what the mask hides; `counted`: GroupQueryAttention takes the mask's length alone; else `unknown`.
 */
async function readAttention(file: string): Promise<'masked' | 'counted' | 'unknown'> {
  const layout = await readOnnxLayout(file);
  if (layout === null) return 'unknown';
  if (layout.nodes.some(({ operator }) => operator === 'GroupQueryAttention')) return 'counted';
  return layout.nodes.some(({ operator }) => operator.endsWith('Attention')) ? 'unknown' : 'masked';
}

async function openLastRowsSession(
  file: string,
  graphs: string | null,
  options: SessionOptions,
): Promise<InferenceSession> {
  const rewritten = graphs === null ? null : await keepLastRows(file, graphs);
  if (rewritten === null) return await openSession(file, options);
  // Whatever is wrong with the rewritten graph: the one that it was made of tells it better, or does without.
  return await openSession(rewritten, options).catch(() => openSession(file, options));
}
