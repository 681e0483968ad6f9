import type { DecoderParts } from '../decoder-parts.ts';
import { addMask, type Mask } from './attend.ts';
import { type Attention, addMixing, pastInputs, pastNames } from './attention.ts';
import { addRotation, newKeyValues } from './attention-new-rows.ts';

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
 *     new_key_values                            [cache tensors, key-value heads, new of all, head size]
 *
 * If only the first sequence has new tokens, the same nodes are run as in a graph for one sequence, and the past
 * of the others is not read.
 */
export async function sequencesAttention(parts: DecoderParts): Promise<Attention> {
  const { graph, architecture } = parts;
  const { keyValueHeads, headSize } = architecture;
  const past = pastInputs(architecture).map(({ name }) => name);
  const rotate = await addRotation(parts);
  const others = Array.from({ length: SEQUENCES - 1 }, (_, index) => index + 1);
  /** Into the tokens of each sequence. */
  const split = (value: string, axis: number): string[] => {
    const outputs = Array.from({ length: SEQUENCES }, () => graph.newName('part'));
    graph.add('Split', [value, 'new_tokens'], outputs, { axis: { int: axis } });
    return outputs;
  };
  const flat = graph.node('Reshape', ['position_ids', graph.integers([-1], [1])]);
  const positions = split(flat, 0);
  const inFirst = graph.node('Gather', ['new_tokens', graph.integers([0], [1])]);
  const hasOthers = graph.node('Less', [inFirst, graph.node('Shape', [flat])]);
  const maskOf = (sequence: number): Mask => {
    const index = graph.integers([sequence], [1]);
    return addMask(parts, {
      past: ofSequence(past[0] ?? '', sequence),
      positions: positions[sequence] ?? '',
      length: graph.node('Gather', ['past_tokens', index]),
      count: graph.node('Gather', ['new_tokens', index]),
    });
  };
  const first = maskOf(0);
  const listOf = ({ sizes, length, count, biases }: Mask): string[] => [sizes, length, count, ...biases];
  const ofList = ([sizes = '', length = '', count = '', ...biases]: string[]): Mask => ({
    sizes,
    length,
    count,
    biases,
  });
  const size = listOf(first).length;
  const ofOthers = graph.either(
    hasOthers,
    () => others.map(maskOf).flatMap(listOf),
    // Not read.
    () => others.flatMap(() => listOf(first).map(value => graph.node('Identity', [value]))),
  );
  const masks = [
    first,
    ...others.map((_, index) => ofList(ofOthers.slice(size * index, size * (index + 1)))),
  ];
  const added = newKeyValues(parts);
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
    outputs: [added.output],
    async add(layer, normed) {
      const { inputs, rows, mix, finish } = await addMixing(parts, rotate, layer, normed);
      added.add(rows);
      const mixOf = (values: readonly string[], sequence: number): string => {
        const names = pastNames(architecture, layer).map(name => ofSequence(name, sequence));
        return mix(values, names, masks[sequence] ?? first);
      };
      const [mixed = ''] = graph.either(
        hasOthers,
        () => {
          const parted = inputs.map(({ value, axis }) => split(value, axis));
          const mixed = masks.map((_, sequence) =>
            mixOf(
              parted.map(ofEach => ofEach[sequence] ?? ''),
              sequence,
            ),
          );
          return [graph.node('Concat', mixed, { axis: { int: 1 } })];
        },
        () => {
          const values = inputs.map(({ value }) => value);
          return [mixOf(values, 0)];
        },
      );
      return finish(mixed);
    },
    finish: added.finish,
  };
}
