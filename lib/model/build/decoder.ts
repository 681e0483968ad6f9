import type { Attention } from './attention/attention.ts';
import { newRowsAttention } from './attention/attention-new-rows.ts';
import { sequencesAttention } from './attention/attention-sequences.ts';
import { wholeCacheAttention } from './attention/attention-whole-cache.ts';
import type { DecoderParts } from './decoder-parts.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { Linear } from './linear.ts';
import { plainNorm, skipNorm } from './norms.ts';
import type { OnnxGraph, ValueInfo } from './onnx-proto.ts';

/**
 * Whether a graph returns new keys and values alone, of one sequence or of several, or the whole cache as the
 * hub's exports do.
 */
export type CacheOutput = keyof typeof attentions;

const attentions = {
  'new rows': (parts: DecoderParts) => newRowsAttention(parts),
  'new rows of sequences': sequencesAttention,
  'whole cache': wholeCacheAttention,
};

/**
 * Writes a decoder, with the inputs and outputs of its attention (attention-new-rows.ts,
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
  const { finalNorm, beforeAttention } = architecture.tensors;
  let normed = beforeAttention ? await plainNorm(parts, residual, `layers.0.${beforeAttention}`) : residual;
  for (const layer of layers.keys()) {
    const isLast = layer === layers.length - 1;
    const [added, sum] = await addLayer(parts, attention, layer, normed, residual, isLast ? keptRows : same);
    const nextNorm = beforeAttention && `layers.${layer + 1}.${beforeAttention}`;
    [normed, residual] = await skipNorm(
      parts,
      sum,
      added,
      isLast ? finalNorm.replace(/^model\./, '') : nextNorm,
    );
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
  const keptRows = graph.node('Reshape', ['num_logits_to_keep', graph.integers([1], [1])]);
  const start = graph.node('Neg', [keptRows]);
  const end = graph.integers([Number.MAX_SAFE_INTEGER], [1]);
  const axis = graph.integers([1], [1]);
  return value => graph.node('Slice', [value, start, end, axis]);
}

/** [1, new of all, columns] → [1, kept, columns] */
function chosenRows(graph: GraphBuilder): (value: string) => string {
  return value => graph.node('Gather', [value, 'rows_to_keep'], { axis: { int: 1 } });
}

const same = (value: string): string => value;

/**
 * A layer without the norm that follows it: returns two values whose sum is the layer's output. `keepRows` takes the
 * rows that are read after the last attention.
 */
export async function addLayer(
  parts: DecoderParts,
  attention: Attention,
  layer: number,
  normed: string,
  residual: string,
  keepRows: (value: string) => string = same,
): Promise<[added: string, residual: string]> {
  const { afterAttention, beforeFeedForward, afterFeedForward } = parts.architecture.tensors;
  const named = (norm: string | null): string | null => norm && `layers.${layer}.${norm}`;
  const after = async (value: string, norm: string | null): Promise<string> =>
    norm === null ? value : await plainNorm(parts, value, norm);
  const heads = await attention.add(layer, normed);
  const before = keepRows(residual);
  const attended = await after(await attentionOutput(parts, layer, keepRows(heads)), named(afterAttention));
  const [input, sum] = await skipNorm(parts, before, attended, named(beforeFeedForward));
  return [await after(await feedForward(parts, layer, input), named(afterFeedForward)), sum];
}

async function attentionOutput(
  { graph, architecture, weights, codec }: DecoderParts,
  layer: number,
  heads: string,
): Promise<string> {
  const { hidden, headSize, tensors, layers } = architecture;
  const isConvolution = layers[layer]?.kind === 'convolution';
  const name = isConvolution ? tensors.convolution[2] : tensors.attentionOutput;
  const columns = isConvolution ? hidden : architecture.heads * headSize;
  const tensor = { [`model.layers.${layer}.${name}`]: hidden };
  const linear = await weights.linear(`layers.${layer}.o`, tensor, columns);
  const [output = ''] = await codec.multiply(graph, heads, [linear]);
  return output;
}

/** down(activation(gate(x)) · up(x)), or down(activation(up(x))) without a gate. */
async function feedForward(
  { graph, architecture, weights, codec }: DecoderParts,
  layer: number,
  normed: string,
): Promise<string> {
  const { hidden, intermediate, activation, tensors } = architecture;
  const linear = (name: string, tensor: string, rows: number, columns: number): Promise<Linear> =>
    weights.linear(`layers.${layer}.${name}`, { [`model.layers.${layer}.${tensor}`]: rows }, columns);
  const wide = (name: string, tensor: string, times = 1): Promise<Linear> =>
    linear(name, tensor, times * intermediate, hidden);
  const activated = (value: string): string => {
    const output = graph.newName('activated');
    if (activation === 'silu') graph.contrib('QuickGelu', [value], [output], { alpha: { float: 1 } });
    else graph.contrib('FastGelu', [value], [output]);
    return output;
  };
  const inner = async (): Promise<string> => {
    const { gate, up } = tensors;
    if (gate === null) {
      const [value = ''] = await codec.multiply(graph, normed, [await wide('up', up)]);
      return activated(value);
    }
    if (gate !== up) {
      const both = [await wide('gate', gate), await wide('up', up)];
      const [gateValue = '', upValue = ''] = await codec.multiply(graph, normed, both);
      return graph.node('Mul', [activated(gateValue), upValue]);
    }
    const [both = ''] = await codec.multiply(graph, normed, [await wide('gate', gate, 2)]);
    const parts = [graph.newName('gate'), graph.newName('up')] as const;
    const sizes = graph.integers([intermediate, intermediate], [2]);
    graph.add('Split', [both, sizes], parts, { axis: { int: -1 } });
    return graph.node('Mul', [activated(parts[0]), parts[1]]);
  };
  const down = await linear('down', tensors.down, hidden, intermediate);
  const [fed = ''] = await codec.multiply(graph, await inner(), [down]);
  return fed;
}
