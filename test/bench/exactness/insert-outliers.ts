import { seededRandom } from '../../../lib/core/random.ts';
import type { FloatModel, FloatTensor } from './bundled-weights.ts';

/**
 * Where activations get outliers:
 * - `inner`: inner channels of the feed-forward network;
 * - `values`: channels of the values that attention mixes;
 * - `norms`: channels of both norms of a layer;
 * - `rare`: pairs of inner channels that are active on few tokens, and whose contributions cancel. Their
 *   weights are not small, so that no factor between activations and weights removes them.
 */
export type OutlierPlace = 'inner' | 'values' | 'norms' | 'rare';

/**
 * The same function with activations of some channels `factor` times as large, in every layer: what reads a
 * channel gets weights that are as much smaller.
 */
export function insertOutliers(
  model: FloatModel,
  places: readonly OutlierPlace[],
  factor: number,
  seed: number,
): FloatModel {
  const random = seededRandom(seed);
  let { config } = model;
  const tensors: Record<string, FloatTensor> = Object.fromEntries(
    Object.entries(model.tensors).map(([name, { shape, data }]) => [name, { shape, data: data.slice() }]),
  );
  const scaleRow = (name: string, row: number, by: number): void => {
    const tensor = tensors[name];
    if (tensor === undefined) return;
    const [, columns = 1] = tensor.shape;
    for (let i = row * columns; i < (row + 1) * columns; i++) tensor.data[i]! *= by;
  };
  const scaleColumn = (name: string, column: number, by: number): void => {
    const { shape, data } = tensors[name] ?? { shape: [0, 1], data: new Float32Array() };
    const [rows = 0, columns = 1] = shape;
    for (let row = 0; row < rows; row++) data[row * columns + column]! *= by;
  };
  const channels = (of: number): number[] =>
    Array.from({ length: CHANNELS }, () => Math.floor(random() * of)).filter(
      (channel, index, all) => all.indexOf(channel) === index,
    );
  const sizes = sizesOf(config);
  const group = sizes.heads / sizes.keyValueHeads;
  for (let layer = 0; layer < sizes.layers; layer++) {
    const mlp = (part: string): string => `model.layers.${layer}.mlp.${part}_proj.weight`;
    const attention = (part: string): string => `model.layers.${layer}.self_attn.${part}_proj`;
    if (places.includes('rare')) addCancellingPairs(tensors, mlp, factor, random);
    for (const channel of places.includes('inner') ? channels(sizes.intermediate) : []) {
      scaleRow(mlp('up'), channel, factor);
      scaleColumn(mlp('down'), channel, 1 / factor);
    }
    for (const channel of places.includes('values') ? channels(sizes.keyValueHeads * HEAD_SIZE) : []) {
      scaleRow(`${attention('v')}.weight`, channel, factor);
      scaleRow(`${attention('v')}.bias`, channel, factor);
      const [head, inHead] = [Math.floor(channel / HEAD_SIZE), channel % HEAD_SIZE];
      for (let query = head * group; query < (head + 1) * group; query++) {
        scaleColumn(`${attention('o')}.weight`, query * HEAD_SIZE + inHead, 1 / factor);
      }
    }
    for (const [norm, readers] of [
      ['input', ['q', 'k', 'v'].map(part => `${attention(part)}.weight`)],
      ['post_attention', [mlp('gate'), mlp('up')]],
    ] as const) {
      for (const channel of places.includes('norms') ? channels(sizes.hidden) : []) {
        scaleRow(`model.layers.${layer}.${norm}_layernorm.weight`, channel, factor);
        for (const reader of readers) scaleColumn(reader, channel, 1 / factor);
      }
    }
  }
  if (places.includes('rare')) config = { ...config, intermediate_size: sizes.intermediate + 2 * CHANNELS };
  return { config, tensors };
}

/** Channels in every place of every layer. */
const CHANNELS = 3;
const HEAD_SIZE = 64;

function sizesOf(config: FloatModel['config']) {
  return {
    layers: Number(config.num_hidden_layers),
    hidden: Number(config.hidden_size),
    intermediate: Number(config.intermediate_size),
    heads: Number(config.num_attention_heads),
    keyValueHeads: Number(config.num_key_value_heads),
  };
}

/**
 * Adds inner channels in pairs: both of a pair have the same activation, and `down` takes them with opposite
 * weights of the usual size. The gate opens for the tokens that fit a random direction best.
 */
function addCancellingPairs(
  tensors: Record<string, FloatTensor>,
  mlp: (part: string) => string,
  factor: number,
  random: () => number,
): void {
  const [gate, up, down] = [tensors[mlp('gate')], tensors[mlp('up')], tensors[mlp('down')]];
  if (gate === undefined || up === undefined || down === undefined) return;
  const [inner = 0, hidden = 0] = gate.shape;
  const [rows = 0] = down.shape;
  const added = 2 * CHANNELS;
  const grow = ({ data }: FloatTensor, value: (channel: number, i: number) => number): FloatTensor => {
    const grown = new Float32Array((inner + added) * hidden);
    grown.set(data);
    for (let channel = 0; channel < added; channel++) {
      for (let i = 0; i < hidden; i++) grown[(inner + channel) * hidden + i] = value(channel, i);
    }
    return { shape: [inner + added, hidden], data: grown };
  };
  const size = rootMeanSquare(gate.data);
  const direction = Array.from({ length: CHANNELS * hidden }, () => (random() - 0.5) * Math.sqrt(12) * size);
  const along = (channel: number, i: number): number => direction[(channel >> 1) * hidden + i] ?? 0;
  tensors[mlp('gate')] = grow(gate, (channel, i) => 4 * along(channel, i));
  tensors[mlp('up')] = grow(up, (channel, i) => factor * along(channel, i));
  const grown = new Float32Array(rows * (inner + added));
  const usual = rootMeanSquare(down.data) * Math.sqrt(12);
  for (let row = 0; row < rows; row++) {
    grown.set(down.data.subarray(row * inner, (row + 1) * inner), row * (inner + added));
    for (let pair = 0; pair < CHANNELS; pair++) {
      const weight = (random() - 0.5) * usual;
      grown[row * (inner + added) + inner + 2 * pair] = weight;
      grown[row * (inner + added) + inner + 2 * pair + 1] = -weight;
    }
  }
  tensors[mlp('down')] = { shape: [rows, inner + added], data: grown };
}

function rootMeanSquare(values: Float32Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
