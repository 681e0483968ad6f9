import type { AttentionLayer } from '../architecture.ts';
import { convolutionMixing } from '../convolution.ts';
import type { DecoderParts } from '../decoder-parts.ts';
import type { Mixing } from '../mixing.ts';
import { rmsNorm } from '../norms.ts';
import type { ValueInfo } from '../onnx-proto.ts';
import { attend, byHead } from './attend.ts';
import type { RopeParameters } from './rope-parameters.ts';
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

/** Rotates queries or keys of a layer by `position_ids`; [1, new, n · head size], same shape out. */
export type Rotate = (values: string, layer: AttentionLayer, heads: number) => string;

export async function addMixing(
  parts: DecoderParts,
  rotate: Rotate,
  layer: number,
  normed: string,
): Promise<Mixing> {
  const { heads, keyValueHeads, layers } = parts.architecture;
  const described = layers[layer];
  if (described?.kind !== 'attention') return await convolutionMixing(parts, layer, normed);
  const packed = await addPackedProjection(parts, layer, normed);
  const projections = await splitProjection(parts, layer, packed);
  const query = rotate(projections.query, described, heads);
  const keys = byHead(parts, rotate(projections.key, described, keyValueHeads));
  const values = byHead(parts, projections.value);
  return {
    inputs: [
      { value: query, axis: 1 },
      { value: keys, axis: 2 },
      { value: values, axis: 2 },
    ],
    rows: [keys, values],
    mix: ([query = '', keys = '', values = ''], [pastKeys = '', pastValues = ''], mask) =>
      attend(parts, described, { query, keys, values }, [pastKeys, pastValues], mask),
    finish: mixed => mixed,
  };
}

/** float32 [positions, rotated numbers / 2] each, for all rope settings of the architecture. */
export async function addRopeTables({
  graph,
  architecture: { layers, rotarySize, contextLength },
}: DecoderParts): Promise<(rope: RopeParameters) => { readonly cos: string; readonly sin: string }> {
  const dims = [contextLength, rotarySize / 2];
  const ropes = layers.flatMap(layer => (layer.kind === 'attention' && layer.rope ? [layer.rope] : []));
  const tables = new Map<RopeParameters, { cos: string; sin: string }>();
  for (const rope of new Set(ropes)) {
    const name = tables.size === 0 ? 'rope' : `rope.${tables.size}`;
    const table = (of: 'cos' | 'sin') =>
      graph.weight(`${name}.${of}`, 'float32', dims, ropeTable(of, rope, rotarySize, contextLength));
    tables.set(rope, { cos: await table('cos'), sin: await table('sin') });
  }
  return rope => tables.get(rope) ?? { cos: '', sin: '' };
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
  const { queryKeyValue } = architecture.tensors;
  const sizes = widths(architecture);
  const all = sizes.reduce((sum, size) => sum + size);
  const rows = queryKeyValue.length === 1 ? [all] : sizes;
  const linear = await weights.linear(
    `layers.${layer}.qkv`,
    Object.fromEntries(
      queryKeyValue.map((name, index) => [`model.layers.${layer}.${name}`, rows[index] ?? 0]),
    ),
    architecture.hidden,
  );
  const [packed = ''] = await codec.multiply(graph, normed, [linear]);
  return packed;
}

/** Splits the packed projection, and normalises queries and keys where the architecture does. */
export async function splitProjection(
  parts: DecoderParts,
  layer: number,
  packed: string,
): Promise<Projections> {
  const { graph, architecture } = parts;
  const { headSize, headNorms, tensors } = architecture;
  const [query, key, value] = [graph.newName('query'), graph.newName('key'), graph.newName('value')];
  const sizes = widths(architecture);
  graph.add('Split', [packed, graph.integers(sizes, [3])], [query, key, value], { axis: { int: -1 } });
  if (headNorms === null) return { query, key, value };
  const [queryNorm, keyNorm] = tensors.headNorms.map(name => `layers.${layer}.${name}`);
  const [queryWidth = 0, keyWidth = 0] = sizes;

  /** [batch, new, n · head size], same shape out. */
  const normalised = async (values: string, name: string, width: number): Promise<string> => {
    if (headNorms === 'all') return await rmsNorm(parts, values, name, width);
    const split = graph.node('Reshape', [values, graph.integers([0, 0, -1, headSize], [4])]);
    const scaled = await rmsNorm(parts, split, name, headSize);
    return graph.node('Reshape', [scaled, graph.integers([0, 0, -1], [3])]);
  };
  return {
    query: await normalised(query, queryNorm ?? '', queryWidth),
    key: await normalised(key, keyNorm ?? '', keyWidth),
    value,
  };
}

function widths({ heads, keyValueHeads, headSize }: DecoderParts['architecture']): number[] {
  return [heads * headSize, keyValueHeads * headSize, keyValueHeads * headSize];
}

/** The names of a layer's past: keys and values, or as many tensors of that shape as a convolution's inputs need. */
export function pastNames(architecture: DecoderParts['architecture'], layer: number): string[] {
  const before = architecture.layers.slice(0, layer).reduce((sum, one) => sum + pairs(architecture, one), 0);
  return Array.from({ length: pairs(architecture, architecture.layers[layer]) }, (_, index) => [
    `past_key_values.${before + index}.key`,
    `past_key_values.${before + index}.value`,
  ]).flat();
}

function pairs(
  { hidden, keyValueHeads, headSize }: DecoderParts['architecture'],
  layer: DecoderParts['architecture']['layers'][number] | undefined,
): number {
  return layer?.kind === 'convolution' ? Math.ceil(hidden / (2 * keyValueHeads * headSize)) : 1;
}

/** The past of some layers; dimensions have the names by which other loaders know them. */
export function pastInputs(
  architecture: DecoderParts['architecture'],
  layers: Iterable<number> = architecture.layers.keys(),
): ValueInfo[] {
  const { keyValueHeads, headSize } = architecture;
  const dims = ['batch_size', keyValueHeads, 'past_sequence_length', headSize];
  return [...layers]
    .flatMap(layer => pastNames(architecture, layer))
    .map(name => ({ name, type: 'float32', dims }));
}
