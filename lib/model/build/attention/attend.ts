import type { AttentionLayer } from '../architecture.ts';
import type { DecoderParts } from '../decoder-parts.ts';
import type { GraphBuilder } from '../graph-builder.ts';

/** Which positions a sequence's new tokens see. */
export interface Mask {
  /** For each window of the architecture: float32 [group · new, room + new], 0 where a token sees a position. */
  readonly biases: readonly string[];
  /** int64 [2], room and new. */
  readonly sizes: string;
  /** int64 [1], tokens in the past. */
  readonly length: string;
  /** int64 [1], new tokens. */
  readonly count: string;
}

/** Of the new tokens, rotated: [1, new, heads · head size], and [1, key-value heads, new, head size] each. */
interface NewTokens {
  readonly query: string;
  readonly keys: string;
  readonly values: string;
}

/**
 * Attention of a sequence's new tokens over its past and themselves; the heads that share a key-value head are rows
 * of one product. `past` is [1, key-value heads, room, head size] each. Past and new have products of their own, since
 * copying the past would cost more than joining scores. Returns [1, new, heads · head size].
 */
export function attend(
  { graph, architecture }: DecoderParts,
  layer: AttentionLayer,
  { query, keys, values }: NewTokens,
  [pastKeys, pastValues]: readonly [keys: string, values: string],
  { biases, sizes }: Mask,
): string {
  const { heads, keyValueHeads, headSize, constants } = architecture;
  const bias = biases[windowsOf(architecture).indexOf(layer.window)] ?? '';
  const group = heads / keyValueHeads;
  /** queries [1, key-value heads, rows, head size] · keys [1, key-value heads, n, head size]ᵀ, scaled */
  const scores = (queries: string, keys: string): string => {
    const output = graph.newName('scores');
    graph.contrib('FusedMatMul', [queries, keys], [output], {
      transB: { int: 1 },
      alpha: { float: constants.attentionScores },
    });
    return output;
  };
  const grouped = reshaped(graph, query, [1, -1, keyValueHeads, group, headSize]);
  // Rows are ordered by head, then by token.
  const byGroup = transposed(graph, grouped, [0, 2, 3, 1, 4]);
  const queries = reshaped(graph, byGroup, [1, keyValueHeads, -1, headSize]);
  const joined = graph.node('Concat', [scores(queries, pastKeys), scores(queries, keys)], {
    axis: { int: 3 },
  });
  const weights = graph.node('Softmax', [graph.node('Add', [joined, bias])], { axis: { int: -1 } });
  const [ofPast, ofNew] = [graph.newName('weights'), graph.newName('weights')];
  graph.add('Split', [weights, sizes], [ofPast, ofNew], { axis: { int: -1 } });
  const sums = graph.node('Add', [
    graph.node('MatMul', [ofPast, pastValues]),
    graph.node('MatMul', [ofNew, values]),
  ]);
  const separate = reshaped(graph, sums, [1, keyValueHeads, group, -1, headSize]);
  return reshaped(graph, transposed(graph, separate, [0, 3, 1, 2, 4]), [1, -1, heads * headSize]);
}

/** [1, new, key-value heads · head size] → [1, key-value heads, new, head size] */
export function byHead(
  { graph, architecture: { keyValueHeads, headSize } }: DecoderParts,
  values: string,
): string {
  return transposed(graph, reshaped(graph, values, [1, -1, keyValueHeads, headSize]), [0, 2, 1, 3]);
}

/**
 * `past`: the keys of one layer; `positions`: int64 [new], ascending; `length`: int64 [1], tokens in the
 * past, which may have room for more; `count`: int64 [1], new tokens.
 */
export function addMask(
  { graph, architecture }: DecoderParts,
  mask: {
    readonly past: string;
    readonly positions: string;
    readonly length: string;
    readonly count: string;
  },
): Mask {
  const group = graph.integers([architecture.heads / architecture.keyValueHeads, 1], [2]);
  const [zero, one] = [graph.integers([0], []), graph.integers([1], [])];
  const size = graph.node('Gather', [graph.node('Shape', [mask.past]), graph.integers([2], [1])]);
  const sizes = graph.node('Concat', [size, mask.count], { axis: { int: 0 } });
  const room = graph.node('Range', [zero, graph.node('Gather', [sizes, zero]), one]);
  const isPast = graph.node('Less', [room, mask.length]);
  const past = graph.node('Where', [isPast, room, graph.integers([Number.MAX_SAFE_INTEGER], [])]);
  const columns = graph.node('Concat', [past, mask.positions], { axis: { int: 0 } });
  const rows = reshaped(graph, mask.positions, [-1, 1]);
  const isLater = graph.node('Greater', [columns, rows]);
  const biasOf = (window: number | null): string => {
    const isHidden = window === null ? isLater : graph.node('Or', [isLater, isOutside(window)]);
    const bias = graph.node('Where', [isHidden, graph.float(HIDDEN), graph.float(0)]);
    return graph.node('Tile', [bias, group]);
  };
  const isOutside = (window: number): string => {
    const last = graph.node('Sub', [rows, graph.integers([window], [])]);
    return graph.node('LessOrEqual', [columns, last]);
  };
  return {
    biases: windowsOf(architecture).map(biasOf),
    length: mask.length,
    count: mask.count,
    sizes,
  };
}

/** The windows that attention layers have, each once. */
function windowsOf({ layers }: DecoderParts['architecture']): (number | null)[] {
  return [...new Set(layers.flatMap(layer => (layer.kind === 'attention' ? [layer.window] : [])))];
}

/** Far below every score; the softmax of it is 0. */
const HIDDEN = -1e30;

function reshaped(graph: GraphBuilder, value: string, dims: readonly number[]): string {
  return graph.node('Reshape', [value, graph.integers(dims, [dims.length])]);
}

function transposed(graph: GraphBuilder, value: string, order: readonly number[]): string {
  return graph.node('Transpose', [value], { perm: { ints: order } });
}
