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
  /** The tensor that writes the channels: a norm's scale, or the rows of a matrix. */
  readonly writer: string;
  /** The bias that is added to the rows; may not exist. */
  readonly writerBias: string | null;
  /** Number of channels that the writer has. */
  readonly channels: number;
  /** The writer's channel of each column: attention heads that share keys and values share channels. */
  readonly channelOf: (column: number) => number;
}

const same = (column: number): number => column;

/** All places of a model, with the output layer unless it shares the embedding's table. */
export function smoothedInputs(architecture: Architecture): SmoothedInput[] {
  const { layers, hidden, intermediate, heads, keyValueHeads, headSize, tied } = architecture;
  const group = heads / keyValueHeads;
  const norm = (linear: string, name: string, readers: readonly string[]): SmoothedInput => ({
    linear,
    readers: readers.map(reader => `${reader}.weight`),
    writer: `model.${name}.weight`,
    writerBias: null,
    channels: hidden,
    channelOf: same,
  });
  const matrix = (linear: string, writer: string, reader: string, channels: number): SmoothedInput => ({
    linear,
    readers: [`${reader}.weight`],
    writer: `${writer}.weight`,
    writerBias: `${writer}.bias`,
    channels,
    channelOf: same,
  });
  const ofLayers = Array.from({ length: layers }, (_, layer): SmoothedInput[] => {
    const prefix = `model.layers.${layer}`;
    const attention = (part: string) => `${prefix}.self_attn.${part}_proj`;
    const mlp = (part: string) => `${prefix}.mlp.${part}_proj`;
    const name = `layers.${layer}`;
    return [
      norm(`${name}.qkv`, `${name}.input_layernorm`, ['q', 'k', 'v'].map(attention)),
      {
        ...matrix(`${name}.o`, attention('v'), attention('o'), keyValueHeads * headSize),
        channelOf: column =>
          Math.floor(Math.floor(column / headSize) / group) * headSize + (column % headSize),
      },
      norm(`${name}.gate`, `${name}.post_attention_layernorm`, [mlp('gate'), mlp('up')]),
      matrix(`${name}.down`, mlp('up'), mlp('down'), intermediate),
    ];
  });
  return [...ofLayers.flat(), ...(tied ? [] : [norm('head', 'norm', ['lm_head'])])];
}
