import type { DecoderParts } from './decoder-parts.ts';
import type { ValueInfo } from './onnx-proto.ts';
import { ropeTable } from './rope-tables.ts';

/** How a graph computes attention, and the inputs and outputs that hold the KV cache. */
export interface Attention {
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
  /**
   * normed [batch, new, hidden] → the heads' outputs [batch, new, heads · head size], before the output
   * projection.
   */
  add(layer: number, normed: string): Promise<string>;
  /** Called after the last layer. */
  finish(): void;
}

/** float32 [positions, head size / 2] each. */
export async function addRopeTables({
  graph,
  architecture: { rope, headSize, contextLength },
}: DecoderParts): Promise<{ readonly cos: string; readonly sin: string }> {
  const dims = [contextLength, headSize / 2];
  return {
    cos: await graph.weight('rope.cos', 'float32', dims, ropeTable('cos', rope, headSize, contextLength)),
    sin: await graph.weight('rope.sin', 'float32', dims, ropeTable('sin', rope, headSize, contextLength)),
  };
}

/** [batch, new, heads · head size] each, before rotation. */
export interface Projections {
  readonly query: string;
  readonly key: string;
  readonly value: string;
}

/** Query, key and value side by side: [batch, new, (heads + 2 · key-value heads) · head size]. */
export async function addPackedProjection(
  { graph, architecture, weights, codec }: DecoderParts,
  layer: number,
  normed: string,
): Promise<string> {
  const tensor = `model.layers.${layer}.self_attn`;
  const [query = 0, key = 0, value = 0] = widths(architecture);
  const linear = await weights.linear(
    `layers.${layer}.qkv`,
    { [`${tensor}.q_proj`]: query, [`${tensor}.k_proj`]: key, [`${tensor}.v_proj`]: value },
    architecture.hidden,
  );
  const [packed = ''] = await codec.multiply(graph, normed, [linear]);
  return packed;
}

/** Splits the packed projection, and normalises queries and keys where the architecture does. */
export async function splitProjection(
  { graph, architecture, weights }: DecoderParts,
  layer: number,
  packed: string,
): Promise<Projections> {
  const { headSize, normEpsilon } = architecture;
  const [query, key, value] = [graph.newName('query'), graph.newName('key'), graph.newName('value')];
  const sizes = graph.integers(widths(architecture), [3]);
  graph.add('Split', [packed, sizes], [query, key, value], { axis: { int: -1 } });
  if (!architecture.normalisesHeads) return { query, key, value };

  /** Normalises each head separately: [batch, new, n · head size], same shape out. */
  const normHeads = async (values: string, part: 'q_norm' | 'k_norm'): Promise<string> => {
    const scale = await graph.floats(
      `layers.${layer}.${part}`,
      await weights.vector({ [`model.layers.${layer}.self_attn.${part}.weight`]: headSize }),
    );
    const split = graph.node('Reshape', [values, graph.integers([0, 0, -1, headSize], [4])]);
    const attributes = { axis: { int: -1 }, epsilon: { float: normEpsilon } };
    const scaled = graph.node('SimplifiedLayerNormalization', [split, scale], attributes);
    return graph.node('Reshape', [scaled, graph.integers([0, 0, -1], [3])]);
  };
  return { query: await normHeads(query, 'q_norm'), key: await normHeads(key, 'k_norm'), value };
}

function widths({ heads, keyValueHeads, headSize }: DecoderParts['architecture']): number[] {
  return [heads * headSize, keyValueHeads * headSize, keyValueHeads * headSize];
}

/** The names of a layer's past keys and values. */
export function pastNames(layer: number): [key: string, value: string] {
  return [`past_key_values.${layer}.key`, `past_key_values.${layer}.value`];
}

/** The past of all layers; dimensions have the names by which other loaders know them. */
export function pastInputs({ layers, keyValueHeads, headSize }: DecoderParts['architecture']): ValueInfo[] {
  const dims = ['batch_size', keyValueHeads, 'past_sequence_length', headSize];
  return Array.from({ length: layers }, (_, layer) => pastNames(layer))
    .flat()
    .map(name => ({ name, type: 'float32', dims }));
}
