import type { DecoderParts } from './decoder-parts.ts';
import type { Mixing } from './mixing.ts';

/**
 * A short convolution between two gates (LFM2): of three projections b, c and x, c · filter(b · x), where the filter
 * sums the last tokens of each channel. The cache holds b · x of every token in the shape of keys and values, although
 * only the last rows are read, so that tokens can be dropped as in attention.
 */
export async function convolutionMixing(parts: DecoderParts, layer: number, normed: string): Promise<Mixing> {
  const { graph, architecture, weights, codec } = parts;
  const { hidden, keyValueHeads, headSize, layers, tensors } = architecture;
  const described = layers[layer];
  const width = described?.kind === 'convolution' ? described.width : 1;
  const [inputs, filter] = tensors.convolution.map(name => `model.layers.${layer}.${name}`);
  const linear = await weights.linear(`layers.${layer}.conv`, { [inputs ?? '']: 3 * hidden }, hidden);
  const [packed = ''] = await codec.multiply(graph, normed, [linear]);
  const [before, after, values] = [graph.newName('gate'), graph.newName('gate'), graph.newName('values')];
  const sizes = graph.integers([hidden, hidden, hidden], [3]);
  graph.add('Split', [packed, sizes], [before, after, values], { axis: { int: -1 } });
  const gated = graph.node('Mul', [before, values]);

  const taps = await filterTaps(parts, layer, filter ?? '', width);
  const bias = weights.has(`${filter}.bias`)
    ? await graph.floats(`layers.${layer}.filter.bias`, await weights.vector({ [`${filter}.bias`]: hidden }))
    : null;
  const ofRow = keyValueHeads * headSize;
  const tensorCount = 2 * Math.ceil(hidden / (2 * ofRow));
  const padding = tensorCount * ofRow - hidden;
  const axis = graph.integers([1], [1]);
  return {
    inputs: [{ value: gated, axis: 1 }],
    rows: cacheRows(),
    mix([input = ''], past, { length, count }) {
      const joined = graph.node('Concat', [lastRows(past, length), input], { axis: { int: 1 } });
      const products = taps.map((tap, index) => {
        const start = graph.integers([index], [1]);
        const end = graph.node('Add', [count, start]);
        return graph.node('Mul', [graph.node('Slice', [joined, start, end, axis]), tap]);
      });
      return graph.node('Sum', bias === null ? products : [...products, bias]);
    },
    finish: mixed => graph.node('Mul', [mixed, after]),
  };

  /** [1, new, hidden] → [1, key-value heads, new, head size] each */
  function cacheRows(): string[] {
    const pads = graph.integers([0, 0, 0, 0, 0, padding], [6]);
    const padded = padding === 0 ? gated : graph.node('Pad', [gated, pads]);
    const shape = graph.integers([1, -1, tensorCount, keyValueHeads, headSize], [5]);
    const split = graph.node('Reshape', [padded, shape]);
    return Array.from({ length: tensorCount }, (_, index) => {
      const part = graph.node('Gather', [split, graph.integers([index], [])], { axis: { int: 2 } });
      return graph.node('Transpose', [part], { perm: { ints: [0, 2, 1, 3] } });
    });
  }

  /** The rows before the new tokens, with zeros before the first: [1, width − 1, hidden] */
  function lastRows(past: readonly string[], length: string): string {
    const offsets = Array.from({ length: width - 1 }, (_, index) => index - (width - 1));
    const positions = graph.node('Add', [length, graph.integers(offsets, [offsets.length])]);
    const indices = graph.node('Max', [positions, graph.integers([0], [1])]);
    const isThere = graph.node('Reshape', [
      graph.node('GreaterOrEqual', [positions, graph.integers([0], [1])]),
      graph.integers([1, -1, 1], [3]),
    ]);
    const rows = past.map(tensor => {
      const taken = graph.node('Gather', [tensor, indices], { axis: { int: 2 } });
      const byToken = graph.node('Transpose', [taken], { perm: { ints: [0, 2, 1, 3] } });
      return graph.node('Reshape', [byToken, graph.integers([1, width - 1, ofRow], [3])]);
    });
    const whole = graph.node('Concat', rows, { axis: { int: 2 } });
    const ends = [graph.integers([0], [1]), graph.integers([hidden], [1]), graph.integers([2], [1])];
    const unpadded = padding === 0 ? whole : graph.node('Slice', [whole, ...ends]);
    return graph.node('Where', [isThere, unpadded, graph.float(0)]);
  }
}

/** What each of the last tokens is multiplied by, oldest first: [hidden] each */
async function filterTaps(
  { graph, architecture: { hidden }, weights }: DecoderParts,
  layer: number,
  filter: string,
  width: number,
): Promise<string[]> {
  const values = await weights.vector({ [`${filter}.weight`]: [hidden, 1, width] });
  const taps: string[] = [];
  for (let index = 0; index < width; index++) {
    const tap = Float32Array.from({ length: hidden }, (_, channel) => values[channel * width + index] ?? 0);
    taps.push(await graph.floats(`layers.${layer}.filter.${index}`, tap));
  }
  return taps;
}
