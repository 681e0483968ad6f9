import { InferenceSession } from 'onnxruntime-node';
import { modelDataIncomplete, modelOnnxInvalid } from '../errors.ts';
import { readGraph } from './decoder-graph.ts';
import { growingSequence } from './growing-sequence.ts';
import { inPlaceSequence } from './in-place-sequence.ts';
import type { ModelConfig } from './model-files.ts';
import { readOnnxLayout } from './onnx-layout.ts';
import { createPass } from './pass.ts';
import type { Sequence } from './sequence.ts';

export interface Decoder {
  /** Of no tokens. */
  readonly empty: Sequence;
  release(): Promise<void>;
}

/**
 * Opens an ONNX file of a decoder with a key-value cache.
 * Throws MODEL_ONNX_INVALID, MODEL_DATA_INCOMPLETE and MODEL_GRAPH_UNEXPECTED.
 */
export async function openDecoder(file: string, config: ModelConfig, threads: number): Promise<Decoder> {
  const session = await openSession(file, threads);
  const graph = readGraph(session, config, file);
  const pass = createPass(session, graph, file);
  const attention = await readAttention(file);
  const maskHides = attention === 'masked' && graph.takes.attentionMask && graph.takes.positionIds;
  return {
    empty:
      attention === 'counted'
        ? inPlaceSequence(pass, graph.cacheSlots)
        : growingSequence(pass, graph.cacheSlots, maskHides),
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

async function openSession(file: string, threads: number): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(file, {
      intraOpNumThreads: threads,
      enableMemPattern: false,
      logSeverityLevel: FATAL,
    });
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
