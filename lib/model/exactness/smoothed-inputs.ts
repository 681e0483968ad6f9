import type { Architecture } from '../build/architecture.ts';

/**
 * A place where the channels of a linear layer's input can be rescaled without changing the model: what one
 * tensor writes is divided by a factor per channel, and what others read is multiplied by it.
 */
export interface SmoothedInput {
  /** As in LinearInput. */
  readonly linear: string;
  /** Matrices [rows, columns] that read the channels. */
  readonly readers: readonly string[];
  /** The tensors that write the channels: a norm's scale and bias, or some rows of a matrix and its bias. */
  readonly writer:
    | { readonly kind: 'norm'; readonly tensors: readonly string[] }
    | { readonly kind: 'rows'; readonly tensor: string; readonly first: number };
  /** Number of channels that the writer has. */
  readonly channels: number;
  /** The writer's channel of each column: attention heads that share keys and values share channels. */
  readonly channelOf: (column: number) => number;
}

const same = (column: number): number => column;

/** All places of a model, with the output layer unless it shares the embedding's table. */
export function smoothedInputs(architecture: Architecture): SmoothedInput[] {
  const { layers, hidden, intermediate, heads, keyValueHeads, headSize, tied, tensors } = architecture;
  const group = heads / keyValueHeads;
  const valueRows = keyValueHeads * headSize;
  const norm = (linear: string, tensor: string, readers: readonly string[]): SmoothedInput => ({
    linear,
    readers: readers.map(reader => `${reader}.weight`),
    writer: {
      kind: 'norm',
      tensors: architecture.norm === 'layer' ? [`${tensor}.weight`, `${tensor}.bias`] : [`${tensor}.weight`],
    },
    channels: hidden,
    channelOf: same,
  });
  const ofLayers = layers.map((described, layer): SmoothedInput[] => {
    const prefix = `model.layers.${layer}.`;
    const name = `layers.${layer}`;
    const rows = (place: string, tensor: string, first: number, channels: number, reader: string) => ({
      linear: `${name}.${place}`,
      readers: [`${prefix}${reader}.weight`],
      writer: { kind: 'rows' as const, tensor: prefix + tensor, first },
      channels,
      channelOf: same,
    });
    const after = (place: string, tensor: string | null, readers: readonly string[]): SmoothedInput[] =>
      tensor === null
        ? []
        : [
            norm(
              `${name}.${place}`,
              prefix + tensor,
              readers.map(one => prefix + one),
            ),
          ];
    const { queryKeyValue, convolution, attentionOutput, gate, up, down } = tensors;
    const [inputs, , output] = convolution;
    const fused = queryKeyValue.length === 1;
    const value = queryKeyValue.at(-1) ?? '';
    const mixing =
      described.kind === 'convolution'
        ? [...after('conv', tensors.beforeAttention, [inputs]), rows('o', inputs, hidden, hidden, output)]
        : [
            ...after('qkv', tensors.beforeAttention, queryKeyValue),
            {
              ...rows('o', value, fused ? heads * headSize + valueRows : 0, valueRows, attentionOutput),
              channelOf: (column: number) =>
                Math.floor(Math.floor(column / headSize) / group) * headSize + (column % headSize),
            },
          ];
    // Without a gate, the activation is between the layers: factors would change the function.
    if (gate === null) return [...mixing, ...after('up', tensors.beforeFeedForward, [up])];
    return [
      ...mixing,
      ...after('gate', tensors.beforeFeedForward, [...new Set([gate, up])]),
      rows('down', up, gate === up ? intermediate : 0, intermediate, down),
    ];
  });
  return [...ofLayers.flat(), ...(tied ? [] : [norm('head', tensors.finalNorm, ['lm_head'])])];
}
