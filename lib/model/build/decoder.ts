import type { Architecture } from './architecture.ts';
import { newRowsAttention } from './attention-new-rows.ts';
import { sequencesAttention } from './attention-sequences.ts';
import { wholeCacheAttention } from './attention-whole-cache.ts';
import type { DecoderParts } from './decoder-parts.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { Linear } from './linear.ts';
import type { ModelWeights } from './model-weights.ts';
import type { OnnxGraph, ValueInfo } from './onnx-proto.ts';

/**
 * Whether a graph returns new keys and values alone, of one sequence or of several, or the whole cache as the
 * hub's exports do.
 */
export type CacheOutput = keyof typeof attentions;

const attentions = {
  'new rows': newRowsAttention,
  'new rows of sequences': sequencesAttention,
  'whole cache': wholeCacheAttention,
};

/**
 * Writes a decoder of the Llama family, with the inputs and outputs of its attention (attention-new-rows.ts,
 * attention-sequences.ts, attention-whole-cache.ts) and
 *
 *     input_ids            int64 [batch, new]           logits     float [batch, kept, vocabulary]
 *     num_logits_to_keep   int64 []; 0 keeps all
 *
 * Only the last `kept` rows reach the last feed-forward network and the output layer. With several sequences,
 * these are the rows in `rows_to_keep`, int64 [kept], instead of `num_logits_to_keep`.
 */
export async function addDecoder(parts: DecoderParts, cache: CacheOutput): Promise<OnnxGraph> {
  const { graph, architecture, weights, codec } = parts;
  const { layers, hidden, vocabulary, tied } = architecture;
  const table = weights.matrix('embedding', { 'model.embed_tokens.weight': vocabulary }, hidden);
  let residual = graph.newName('embedded');
  await codec.embed(graph, 'input_ids', table, residual);

  const attention = await attentions[cache](parts);
  const areChosen = cache === 'new rows of sequences';
  const keptRows = areChosen ? chosenRows(graph) : lastRows(graph);
  let normed = await plainNorm(parts, residual, 'layers.0.input_layernorm');
  for (let layer = 0; layer < layers; layer++) {
    const isLast = layer === layers - 1;
    const heads = await attention.add(layer, normed);
    if (isLast) residual = keptRows(residual);
    const attended = await attentionOutput(parts, layer, isLast ? keptRows(heads) : heads);
    [normed, residual] = await skipNorm(
      parts,
      residual,
      attended,
      `layers.${layer}.post_attention_layernorm`,
    );
    const fed = await feedForward(parts, layer, normed);
    const nextNorm = isLast ? 'norm' : `layers.${layer + 1}.input_layernorm`;
    [normed, residual] = await skipNorm(parts, residual, fed, nextNorm);
  }
  const head = tied ? table : weights.matrix('head', { 'lm_head.weight': vocabulary }, hidden);
  await codec.head(graph, normed, head, tied, 'logits');
  attention.finish();
  const inputs: ValueInfo[] = [
    { name: 'input_ids', type: 'int64', dims: ['batch_size', 'sequence_length'] },
    areChosen
      ? { name: 'rows_to_keep', type: 'int64', dims: ['kept'] }
      : { name: 'num_logits_to_keep', type: 'int64', dims: [] },
    ...attention.inputs,
  ];
  const outputs: ValueInfo[] = [
    { name: 'logits', type: 'float32', dims: ['batch_size', 'kept', vocabulary] },
    ...attention.outputs,
  ];
  return graph.finish('decoder', inputs, outputs);
}

/** [batch, new, columns] → [batch, kept, columns] */
function lastRows(graph: GraphBuilder): (value: string) => string {
  const kept = graph.node('Reshape', ['num_logits_to_keep', graph.integers([1], [1])]);
  const start = graph.node('Neg', [kept]);
  const end = graph.integers([Number.MAX_SAFE_INTEGER], [1]);
  const axis = graph.integers([1], [1]);
  return value => graph.node('Slice', [value, start, end, axis]);
}

/** [1, new of all, columns] → [1, kept, columns] */
function chosenRows(graph: GraphBuilder): (value: string) => string {
  return value => graph.node('Gather', [value, 'rows_to_keep'], { axis: { int: 1 } });
}

export async function plainNorm(
  { graph, architecture, weights }: DecoderParts,
  value: string,
  name: string,
): Promise<string> {
  const scale = await normScale(graph, architecture, weights, name);
  return graph.node('SimplifiedLayerNormalization', [value, scale], {
    axis: { int: -1 },
    epsilon: { float: architecture.normEpsilon },
  });
}

/** Gives the normed sum of its two inputs, and the sum. */
async function skipNorm(
  { graph, architecture, weights }: DecoderParts,
  residual: string,
  added: string,
  name: string,
): Promise<[normed: string, sum: string]> {
  const scale = await normScale(graph, architecture, weights, name);
  const [normed, sum] = [graph.newName('normed'), graph.newName('residual')];
  graph.contrib('SkipSimplifiedLayerNormalization', [residual, added, scale], [normed, '', '', sum], {
    epsilon: { float: architecture.normEpsilon },
  });
  return [normed, sum];
}

async function normScale(
  graph: GraphBuilder,
  { hidden }: Architecture,
  weights: ModelWeights,
  name: string,
): Promise<string> {
  return await graph.floats(name, await weights.vector({ [`model.${name}.weight`]: hidden }));
}

export async function attentionOutput(
  { graph, architecture, weights, codec }: DecoderParts,
  layer: number,
  heads: string,
): Promise<string> {
  const { hidden, headSize } = architecture;
  const tensor = { [`model.layers.${layer}.self_attn.o_proj`]: hidden };
  const linear = await weights.linear(`layers.${layer}.o`, tensor, architecture.heads * headSize);
  const [output = ''] = await codec.multiply(graph, heads, [linear]);
  return output;
}

/** down(silu(gate(x)) · up(x)) */
export async function feedForward(
  { graph, architecture, weights, codec }: DecoderParts,
  layer: number,
  normed: string,
): Promise<string> {
  const { hidden, intermediate } = architecture;
  const linear = (part: string, rows: number, columns: number): Promise<Linear> =>
    weights.linear(`layers.${layer}.${part}`, { [`model.layers.${layer}.mlp.${part}_proj`]: rows }, columns);
  const both = [await linear('gate', intermediate, hidden), await linear('up', intermediate, hidden)];
  const [gate = '', up = ''] = await codec.multiply(graph, normed, both);
  const activated = graph.newName('activated');
  graph.contrib('QuickGelu', [gate], [activated], { alpha: { float: 1 } });
  const product = graph.node('Mul', [activated, up]);
  const [fed = ''] = await codec.multiply(graph, product, [await linear('down', hidden, intermediate)]);
  return fed;
}
