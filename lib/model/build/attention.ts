import type { DecoderParts } from './decoder-parts.ts';
import { ropeTable } from './rope-tables.ts';

/** Inputs that the attention of all layers shares. */
export interface AttentionInputs {
  /** int32 [batch]: the index of the last token. */
  readonly lastIndex: string;
  /** int32 []: number of tokens, past and new. */
  readonly total: string;
  /** float32 [positions, head size / 2] */
  readonly cos: string;
  readonly sin: string;
}

export async function addAttentionInputs({ graph, architecture }: DecoderParts): Promise<AttentionInputs> {
  const { rope, headSize, contextLength } = architecture;
  const one = graph.integers([1], [1]);
  const counts = graph.node('ReduceSum', ['attention_mask', one], { keepdims: { int: 0 } });
  const lastIndex = graph.node('Cast', [graph.node('Sub', [counts, one])], { to: { int: INT32 } });
  const maskShape = graph.node('Shape', ['attention_mask']);
  const total = graph.node('Gather', [maskShape, graph.integers([1], [])]);
  const dims = [contextLength, headSize / 2];
  return {
    lastIndex,
    total: graph.node('Cast', [total], { to: { int: INT32 } }),
    cos: await graph.weight('rope.cos', 'float32', dims, ropeTable('cos', rope, headSize, contextLength)),
    sin: await graph.weight('rope.sin', 'float32', dims, ropeTable('sin', rope, headSize, contextLength)),
  };
}

const INT32 = 6;

/**
 * normed [batch, new, hidden] → the heads' outputs [batch, new, heads · head size], before the output
 * projection.
 */
export async function addAttention(
  { graph, architecture, weights, codec }: DecoderParts,
  layer: number,
  normed: string,
  { lastIndex, total, cos, sin }: AttentionInputs,
): Promise<string> {
  const { heads, keyValueHeads, headSize, hidden, normEpsilon } = architecture;
  const tensor = `model.layers.${layer}.self_attn`;
  const widths = [heads * headSize, keyValueHeads * headSize, keyValueHeads * headSize];
  const [q = 0, k = 0, v = 0] = widths;
  const linear = await weights.linear(
    `layers.${layer}.qkv`,
    { [`${tensor}.q_proj`]: q, [`${tensor}.k_proj`]: k, [`${tensor}.v_proj`]: v },
    hidden,
  );
  const [packed = ''] = await codec.multiply(graph, normed, [linear]);

  /** Normalises each head separately: [batch, new, n · head size], same shape out. */
  const normHeads = async (value: string, part: 'q_norm' | 'k_norm'): Promise<string> => {
    const scale = await graph.floats(
      `layers.${layer}.${part}`,
      await weights.vector({ [`${tensor}.${part}.weight`]: headSize }),
    );
    const split = graph.node('Reshape', [value, graph.integers([0, 0, -1, headSize], [4])]);
    const attributes = { axis: { int: -1 }, epsilon: { float: normEpsilon } };
    const scaled = graph.node('SimplifiedLayerNormalization', [split, scale], attributes);
    return graph.node('Reshape', [scaled, graph.integers([0, 0, -1], [3])]);
  };

  let inputs: [query: string, key: string, value: string] = [packed, '', ''];
  if (architecture.normalisesHeads) {
    const [query, key, value] = [graph.newName('query'), graph.newName('key'), graph.newName('value')];
    graph.add('Split', [packed, graph.integers(widths, [3])], [query, key, value], { axis: { int: -1 } });
    inputs = [await normHeads(query, 'q_norm'), await normHeads(key, 'k_norm'), value];
  }
  const past = [`past_key_values.${layer}.key`, `past_key_values.${layer}.value`];
  const present = [`present.${layer}.key`, `present.${layer}.value`];
  const answers = graph.newName('heads');
  graph.contrib(
    'GroupQueryAttention',
    [...inputs, ...past, lastIndex, total, cos, sin],
    [answers, ...present],
    {
      num_heads: { int: heads },
      kv_num_heads: { int: keyValueHeads },
      scale: { float: 1 / Math.sqrt(headSize) },
      do_rotary: { int: 1 },
      rotary_interleaved: { int: 0 },
    },
  );
  return answers;
}
