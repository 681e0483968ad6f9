import {
  type Attention,
  addPackedProjection,
  addRopeTables,
  pastInputs,
  pastNames,
  splitProjection,
} from './attention.ts';
import type { DecoderParts } from './decoder-parts.ts';
import type { GraphBuilder } from './graph-builder.ts';

/**
 * Attention over past and new tokens in two products each, so that the graph returns only new keys and values
 * and the caller keeps the cache:
 *
 *     position_ids                   int64 [1, new], ascending
 *     past_key_values.N.key, .value  [1, key-value heads, room, head size]
 *     new_key_values                 [2 · layers, key-value heads, new, head size]; key 0, value 0, key 1, …
 *
 * The room may be longer than the past: positions from the first new one on are hidden. It holds at least one
 * position. The heads that share a key-value head are rows of one product.
 */
export async function newRowsAttention(parts: DecoderParts): Promise<Attention> {
  const { graph, architecture } = parts;
  const { layers, heads, keyValueHeads, headSize } = architecture;
  const group = heads / keyValueHeads;
  const { cos, sin } = await addRopeTables(parts);
  const { bias, sizes } = addMask(graph, group);
  const added: string[] = [];

  const rotated = (values: string): string => {
    const output = graph.newName('rotated');
    graph.contrib('RotaryEmbedding', [values, 'position_ids', cos, sin], [output], {
      interleaved: { int: 0 },
    });
    return output;
  };
  const reshaped = (values: string, dims: readonly number[]): string =>
    graph.node('Reshape', [values, graph.integers(dims, [dims.length])]);
  const transposed = (values: string, order: readonly number[]): string =>
    graph.node('Transpose', [values], { perm: { ints: order } });
  /** [1, new, key-value heads · head size] → [1, key-value heads, new, head size] */
  const byHead = (values: string): string =>
    transposed(reshaped(values, [1, -1, keyValueHeads, headSize]), [0, 2, 1, 3]);
  /** queries [1, key-value heads, rows, head size] · keys [1, key-value heads, n, head size]ᵀ, scaled */
  const scores = (queries: string, keys: string): string => {
    const output = graph.newName('scores');
    graph.contrib('FusedMatMul', [queries, keys], [output], {
      transB: { int: 1 },
      alpha: { float: 1 / Math.sqrt(headSize) },
    });
    return output;
  };

  return {
    inputs: [
      { name: 'position_ids', type: 'int64', dims: [1, 'sequence_length'] },
      ...pastInputs({ ...architecture }).map(past => ({ ...past, dims: past.dims.with(0, 1) })),
    ],
    outputs: [
      {
        name: 'new_key_values',
        type: 'float32',
        dims: [2 * layers, keyValueHeads, 'sequence_length', headSize],
      },
    ],
    async add(layer, normed) {
      const packed = await addPackedProjection(parts, layer, normed);
      const { query, key, value } = await splitProjection(parts, layer, packed);
      const grouped = reshaped(rotated(query), [1, -1, keyValueHeads, group, headSize]);
      // Rows are ordered by head, then by token.
      const queries = reshaped(transposed(grouped, [0, 2, 3, 1, 4]), [1, keyValueHeads, -1, headSize]);
      const [keys, values] = [byHead(rotated(key)), byHead(value)];
      added.push(keys, values);
      const [pastKeys, pastValues] = pastNames(layer);
      const all = graph.node('Concat', [scores(queries, pastKeys), scores(queries, keys)], {
        axis: { int: -1 },
      });
      const weights = graph.node('Softmax', [graph.node('Add', [all, bias])], { axis: { int: -1 } });
      const [ofPast, ofNew] = [graph.newName('weights'), graph.newName('weights')];
      graph.add('Split', [weights, sizes], [ofPast, ofNew], { axis: { int: -1 } });
      const sums = graph.node('Add', [
        graph.node('MatMul', [ofPast, pastValues]),
        graph.node('MatMul', [ofNew, values]),
      ]);
      const byToken = transposed(reshaped(sums, [1, keyValueHeads, group, -1, headSize]), [0, 3, 1, 2, 4]);
      return reshaped(byToken, [1, -1, heads * headSize]);
    },
    finish() {
      graph.add('Concat', added, ['new_key_values'], { axis: { int: 0 } });
    },
  };
}

/**
 * bias: float32 [group · new, room + new], 0 where a token sees a position; sizes: int64 [2], room and new.
 */
function addMask(graph: GraphBuilder, group: number): { readonly bias: string; readonly sizes: string } {
  const [zero, one] = [graph.integers([0], []), graph.integers([1], [])];
  const list = graph.integers([-1], [1]);
  const sizeOf = (value: string, axis: number): string =>
    graph.node('Gather', [graph.node('Shape', [value]), graph.integers([axis], [1])]);
  const sizes = graph.node('Concat', [sizeOf(pastNames(0)[0], 2), sizeOf('position_ids', 1)], {
    axis: { int: 0 },
  });
  const positions = graph.node('Reshape', ['position_ids', list]);
  const room = graph.node('Range', [zero, graph.node('Gather', [sizes, zero]), one]);
  const isPast = graph.node('Less', [room, graph.node('Gather', [positions, zero])]);
  const past = graph.node('Where', [isPast, room, graph.integers([Number.MAX_SAFE_INTEGER], [])]);
  const columns = graph.node('Concat', [past, positions], { axis: { int: 0 } });
  const rows = graph.node('Reshape', ['position_ids', graph.integers([-1, 1], [2])]);
  const isHidden = graph.node('Greater', [columns, rows]);
  const bias = graph.node('Where', [isHidden, graph.float(HIDDEN), graph.float(0)]);
  return { bias: graph.node('Tile', [bias, graph.integers([group, 1], [2])]), sizes };
}

/** Far below every score; the softmax of it is 0. */
const HIDDEN = -1e30;
