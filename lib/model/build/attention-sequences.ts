import { addMask, attend, byHead } from './attend.ts';
import { type Attention, addPackedProjection, pastNames, splitProjection } from './attention.ts';
import { addRotation } from './attention-new-rows.ts';
import type { DecoderParts } from './decoder-parts.ts';

/** How many sequences a pass takes at most. */
export const SEQUENCES = 4;

/** The name of an input that each sequence has. */
export function ofSequence(name: string, sequence: number): string {
  return `sequence.${sequence}.${name}`;
}

/**
 * Attention of several sequences, whose new tokens follow each other in `input_ids`, each over its own past,
 * computed as in attention-new-rows.ts:
 *
 *     position_ids                              int64 [1, new of all]
 *     new_tokens, past_tokens                   int64 [sequences]; only the first one must have new tokens
 *     sequence.S.past_key_values.N.key, .value  [1, key-value heads, room of S, head size]
 *     new_key_values                            [2 · layers, key-value heads, new of all, head size]
 *
 * The nodes of all but the first sequence are run only if one of them has new tokens.
 */
export async function sequencesAttention(parts: DecoderParts): Promise<Attention> {
  const { graph, architecture } = parts;
  const { layers, keyValueHeads, headSize } = architecture;
  const rotate = await addRotation(parts);
  /** Into parts of the sizes in a list. */
  const split = (value: string, sizes: string, count: number, axis: number): string[] => {
    const outputs = Array.from({ length: count }, () => graph.newName('part'));
    graph.add('Split', [value, sizes], outputs, { axis: { int: axis } });
    return outputs;
  };
  const [firstCount = '', otherCounts = ''] = split(
    'new_tokens',
    graph.integers([1, SEQUENCES - 1], [2]),
    2,
    0,
  );
  const inOthers = graph.node('ReduceSum', [otherCounts], { keepdims: { int: 1 } });
  const firstAndOthers = graph.node('Concat', [firstCount, inOthers], { axis: { int: 0 } });
  const hasOthers = graph.node('Greater', [inOthers, graph.integers([0], [1])]);
  const positions = split(
    graph.node('Reshape', ['position_ids', graph.integers([-1], [1])]),
    'new_tokens',
    SEQUENCES,
    0,
  );
  const masks = positions.map((own, sequence) => {
    const index = graph.integers([sequence], [1]);
    return addMask(parts, {
      past: ofSequence(pastNames(0)[0], sequence),
      positions: own,
      length: graph.node('Gather', ['past_tokens', index]),
      count: graph.node('Gather', ['new_tokens', index]),
    });
  });
  const added: string[] = [];
  const past = Array.from({ length: layers }, (_, layer) => pastNames(layer)).flat();
  return {
    inputs: [
      { name: 'position_ids', type: 'int64', dims: [1, 'sequence_length'] },
      { name: 'new_tokens', type: 'int64', dims: [SEQUENCES] },
      { name: 'past_tokens', type: 'int64', dims: [SEQUENCES] },
      ...masks.flatMap((_, sequence) =>
        past.map(name => ({
          name: ofSequence(name, sequence),
          type: 'float32' as const,
          dims: [1, keyValueHeads, `room_${sequence}`, headSize],
        })),
      ),
    ],
    outputs: [
      {
        name: 'new_key_values',
        type: 'float32',
        dims: [2 * layers, keyValueHeads, 'sequence_length', headSize],
      },
    ],
    async add(layer, normed) {
      const packed = await addPackedProjection(parts, layer, normed);
      const { query, key, value } = await splitProjection(parts, layer, packed);
      const all = { query: rotate(query), keys: byHead(parts, rotate(key)), values: byHead(parts, value) };
      added.push(all.keys, all.values);
      const divide = ({ query, keys, values }: typeof all, sizes: string, count: number) => {
        const [queryParts, keyParts, valueParts] = [
          split(query, sizes, count, 1),
          split(keys, sizes, count, 2),
          split(values, sizes, count, 2),
        ];
        return queryParts.map((query, index) => ({
          query,
          keys: keyParts[index] ?? '',
          values: valueParts[index] ?? '',
        }));
      };
      const attendTo = (own: typeof all, sequence: number): string => {
        const [keys, values] = pastNames(layer);
        const mask = masks[sequence] ?? { bias: '', sizes: '' };
        return attend(parts, own, [ofSequence(keys, sequence), ofSequence(values, sequence)], mask);
      };
      const [first = all, others = all] = divide(all, firstAndOthers, 2);
      const ofFirst = attendTo(first, 0);
      const ofOthers = graph.either(
        hasOthers,
        () => {
          const each = divide(others, otherCounts, SEQUENCES - 1);
          const attended = each.map((own, index) => attendTo(own, index + 1));
          return graph.node('Concat', attended, { axis: { int: 1 } });
        },
        // They have no tokens, so this has the shape of their attention.
        () => graph.node('Identity', [others.query]),
      );
      return graph.node('Concat', [ofFirst, ofOthers], { axis: { int: 1 } });
    },
    finish() {
      graph.add('Concat', added, ['new_key_values'], { axis: { int: 0 } });
    },
  };
}
