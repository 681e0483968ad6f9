import type { ModelConfig } from '../model-files.ts';
import { appendedKvCache } from './cache/kv-cache-appended.ts';
import { growingKvCache } from './cache/kv-cache-growing.ts';
import { inPlaceKvCache } from './cache/kv-cache-in-place.ts';
import { rowsKvCache } from './cache/kv-cache-rows.ts';
import { readGraph } from './decoder-graph.ts';
import { createForwardPass } from './forward-pass.ts';
import { readOnnxLayout } from './rewrite/onnx-layout.ts';
import { NEW_ROWS } from './rewrite/rewrite-cache.ts';
import { rewriteGraph } from './rewrite/rewrite-graph.ts';
import type { InferenceSession } from './runtime.ts';
import type { Sequence } from './sequence.ts';
import { openSession, type SessionOptions } from './session.ts';

export interface Decoder {
  /** An empty sequence. */
  readonly empty: Sequence;
  /** How many sequences can usefully be extended at once. */
  readonly concurrency: number;
  release(): Promise<void>;
}

export interface DecoderOptions extends SessionOptions {
  /** A folder for rewritten graphs, which return only what is read here; null disables rewriting. */
  readonly graphs?: string | null;
}

/**
 * Opens an ONNX decoder with a KV cache. Throws MODEL_ONNX_INVALID, MODEL_DATA_INCOMPLETE,
 * MODEL_DEVICE_UNAVAILABLE and MODEL_GRAPH_UNEXPECTED.
 */
export async function openDecoder(
  file: string,
  config: ModelConfig,
  { graphs = null, ...options }: DecoderOptions,
): Promise<Decoder> {
  const session = await openRewrittenSession(file, graphs, options);
  const graph = readGraph(session, config, file);
  const pass = createForwardPass(session, graph, file);
  const release = () => session.release();
  if (graph.newRows !== null) {
    const appended = graph.newRows === NEW_ROWS ? rowsKvCache : appendedKvCache;
    return { empty: appended(pass, graph.cacheSlots), concurrency: 1, release };
  }
  const attention = await readAttention(file);
  const maskHides = attention === 'masked' && graph.takes.attentionMask && graph.takes.positionIds;
  return {
    empty:
      // Other devices have their own memory, where past and present never share a buffer.
      attention === 'counted' && options.device === 'cpu'
        ? inPlaceKvCache(pass, graph.cacheSlots)
        : growingKvCache(pass, graph.cacheSlots, maskHides),
    concurrency: 1,
    release,
  };
}

/**
 * How a graph uses its attention mask. `masked`: attention is built from standard ONNX operators and honours
 * every mask value. `counted`: GroupQueryAttention uses only the mask's length. Otherwise `unknown`.
 */
async function readAttention(file: string): Promise<'masked' | 'counted' | 'unknown'> {
  const layout = await readOnnxLayout(file);
  if (layout === null) return 'unknown';
  if (layout.nodes.some(({ operator }) => operator === 'GroupQueryAttention')) return 'counted';
  return layout.nodes.some(({ operator }) => operator.endsWith('Attention')) ? 'unknown' : 'masked';
}

async function openRewrittenSession(
  file: string,
  graphs: string | null,
  options: SessionOptions,
): Promise<InferenceSession> {
  // Other devices keep the layout that they know from exports.
  const rewritten = graphs === null ? null : await rewriteGraph(file, graphs, options.device === 'cpu');
  if (rewritten === null) return await openSession(file, options);
  // If the rewritten graph fails, the original either works or gives the clearer error.
  return await openSession(rewritten, options).catch(() => openSession(file, options));
}
