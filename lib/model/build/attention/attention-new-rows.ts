import type { DecoderParts } from '../decoder-parts.ts';
import type { ValueInfo } from '../onnx-proto.ts';
import { addMask } from './attend.ts';
import { type Attention, addMixing, addRopeTables, pastInputs, pastNames, type Rotate } from './attention.ts';

/**
 * Attention that returns only new keys and values, so that the caller keeps the cache:
 *
 *     position_ids                   int64 [1, new], ascending
 *     past_key_values.N.key, .value  [1, key-value heads, room, head size]
 *     new_key_values                 [cache tensors, key-value heads, new, head size]; key 0, value 0, key 1, …
 *
 * The room may be longer than the past: positions from the first new one on are hidden. It holds at least one
 * position.
 */
export async function newRowsAttention(
  parts: DecoderParts,
  layers: readonly number[] = [...parts.architecture.layers.keys()],
): Promise<Attention> {
  const { graph, architecture } = parts;
  const rotate = await addRotation(parts);
  const past = pastInputs(architecture, layers);
  const positions = graph.node('Reshape', ['position_ids', graph.integers([-1], [1])]);
  const mask = addMask(parts, {
    past: past[0]?.name ?? '',
    positions,
    length: graph.node('Gather', [positions, graph.integers([0], [1])]),
    count: graph.node('Shape', [positions]),
  });
  const added = newKeyValues(parts);
  return {
    inputs: [
      { name: 'position_ids', type: 'int64', dims: [1, 'sequence_length'] },
      ...past.map(input => ({ ...input, dims: input.dims.with(0, 1) })),
    ],
    outputs: [added.output],
    async add(layer, normed) {
      const { inputs, rows, mix, finish } = await addMixing(parts, rotate, layer, normed);
      added.add(rows);
      const values = inputs.map(({ value }) => value);
      return finish(mix(values, pastNames(architecture, layer), mask));
    },
    finish: added.finish,
  };
}

/** The output `new_key_values`, to which each layer adds the new rows of its cache in turn. */
export function newKeyValues({ graph, architecture }: DecoderParts) {
  const { keyValueHeads, headSize } = architecture;
  const name = 'new_key_values';
  const added: string[] = [];
  const output: ValueInfo = {
    name,
    type: 'float32',
    dims: [pastInputs(architecture).length, keyValueHeads, 'sequence_length', headSize],
  };
  return {
    output,
    add(rows: readonly string[]): void {
      added.push(...rows);
    },
    finish(): void {
      graph.add('Concat', added, [name], { axis: { int: 0 } });
    },
  };
}

export async function addRotation(parts: DecoderParts): Promise<Rotate> {
  const { graph, architecture } = parts;
  const { headSize, rotarySize } = architecture;
  const tables = await addRopeTables(parts);
  return (values, { rope }, heads) => {
    if (rope === null) return values;
    const { cos, sin } = tables(rope);
    const output = graph.newName('rotated');
    graph.contrib('RotaryEmbedding', [values, 'position_ids', cos, sin], [output], {
      interleaved: { int: 0 },
      ...(rotarySize < headSize && { num_heads: { int: heads }, rotary_embedding_dim: { int: rotarySize } }),
    });
    return output;
  };
}
