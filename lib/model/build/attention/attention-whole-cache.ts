import type { DecoderParts } from '../decoder-parts.ts';
import {
  type Attention,
  addPackedProjection,
  addRopeTables,
  pastInputs,
  pastNames,
  splitProjection,
} from './attention.ts';

/**
 * GroupQueryAttention, with the inputs and outputs of the hub's exports, for loaders that expect these:
 *
 *     attention_mask                 int64 [batch, past + new]
 *     past_key_values.N.key, .value  [batch, key-value heads, past, head size]
 *     present.N.key, .value          [batch, key-value heads, past + new, head size]
 *
 * Past and present may be the same memory, longer than the mask: new keys and values are then appended in
 * place. Only for layers of full attention. The mask tells the number of tokens alone: it cannot hide one between others.
 */
export async function wholeCacheAttention(parts: DecoderParts): Promise<Attention> {
  const { graph, architecture } = parts;
  const { heads, keyValueHeads, headNorms, constants, rotarySize, headSize } = architecture;
  const tables = await addRopeTables(parts);
  const one = graph.integers([1], [1]);
  const counts = graph.node('ReduceSum', ['attention_mask', one], { keepdims: { int: 0 } });
  // int32 [batch]: the index of the last token.
  const lastIndex = graph.node('Cast', [graph.node('Sub', [counts, one])], { to: { int: INT32 } });
  const maskShape = graph.node('Shape', ['attention_mask']);
  const tokens = graph.node('Gather', [maskShape, graph.integers([1], [])]);
  const total = graph.node('Cast', [tokens], { to: { int: INT32 } });
  const cached = pastInputs(architecture);
  return {
    inputs: [
      { name: 'attention_mask', type: 'int64', dims: ['batch_size', 'total_sequence_length'] },
      ...cached,
    ],
    outputs: cached.map(({ name, type, dims }) => ({
      name: presentName(name),
      type,
      dims: dims.with(2, 'total_sequence_length'),
    })),
    async add(layer, normed) {
      const described = architecture.layers[layer];
      if (described?.kind !== 'attention' || described.window !== null || rotarySize < headSize) {
        throw new Error('the whole cache is only for full attention');
      }
      const { cos = '', sin = '' } = described.rope === null ? {} : tables(described.rope);
      const packed = await addPackedProjection(parts, layer, normed);
      let inputs: [query: string, key: string, value: string] = [packed, '', ''];
      if (headNorms !== null) {
        const { query, key, value } = await splitProjection(parts, layer, packed);
        inputs = [query, key, value];
      }
      const past = pastNames(architecture, layer);
      const output = graph.newName('heads');
      graph.contrib(
        'GroupQueryAttention',
        [...inputs, ...past, lastIndex, total, cos, sin],
        [output, ...past.map(presentName)],
        {
          num_heads: { int: heads },
          kv_num_heads: { int: keyValueHeads },
          scale: { float: constants.attentionScores },
          do_rotary: { int: cos === '' ? 0 : 1 },
          rotary_interleaved: { int: 0 },
        },
      );
      return output;
    },
    finish() {},
  };
}

const INT32 = 6;

function presentName(past: string): string {
  return past.replace('past_key_values', 'present');
}
