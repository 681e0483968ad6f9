import { addMask, attend, byHead } from './attend.ts';
import {
  type Attention,
  addPackedProjection,
  addRopeTables,
  pastInputs,
  pastNames,
  splitProjection,
} from './attention.ts';
import type { DecoderParts } from './decoder-parts.ts';
import type { ValueInfo } from './onnx-proto.ts';

/**
 * Attention that returns only new keys and values, so that the caller keeps the cache:
 *
 *     position_ids                   int64 [1, new], ascending
 *     past_key_values.N.key, .value  [1, key-value heads, room, head size]
 *     new_key_values                 [2 · layers, key-value heads, new, head size]; key 0, value 0, key 1, …
 *
 * The room may be longer than the past: positions from the first new one on are hidden. It holds at least one
 * position.
 */
export async function newRowsAttention(parts: DecoderParts): Promise<Attention> {
  const { graph, architecture } = parts;
  const rotate = await addRotation(parts);
  const positions = graph.node('Reshape', ['position_ids', graph.integers([-1], [1])]);
  const mask = addMask(parts, {
    past: pastNames(0)[0],
    positions,
    length: graph.node('Gather', [positions, graph.integers([0], [1])]),
    count: graph.node('Shape', [positions]),
  });
  const added = newKeyValues(parts);
  return {
    inputs: [
      { name: 'position_ids', type: 'int64', dims: [1, 'sequence_length'] },
      ...pastInputs(architecture).map(past => ({ ...past, dims: past.dims.with(0, 1) })),
    ],
    outputs: [added.output],
    async add(layer, normed) {
      const packed = await addPackedProjection(parts, layer, normed);
      const { query, key, value } = await splitProjection(parts, layer, packed);
      const [keys, values] = [byHead(parts, rotate(key)), byHead(parts, value)];
      added.add(keys, values);
      return attend(parts, { query: rotate(query), keys, values }, pastNames(layer), mask);
    },
    finish: added.finish,
  };
}

/** The output `new_key_values`, to which each layer adds its keys and values in turn. */
export function newKeyValues({ graph, architecture: { layers, keyValueHeads, headSize } }: DecoderParts) {
  const name = 'new_key_values';
  const added: string[] = [];
  const output: ValueInfo = {
    name,
    type: 'float32',
    dims: [2 * layers, keyValueHeads, 'sequence_length', headSize],
  };
  return {
    output,
    add(keys: string, values: string): void {
      added.push(keys, values);
    },
    finish(): void {
      graph.add('Concat', added, [name], { axis: { int: 0 } });
    },
  };
}

/** Rotates queries or keys by `position_ids`; [1, new, n · head size], same shape out. */
export async function addRotation(parts: DecoderParts): Promise<(values: string) => string> {
  const { graph } = parts;
  const { cos, sin } = await addRopeTables(parts);
  return values => {
    const output = graph.newName('rotated');
    graph.contrib('RotaryEmbedding', [values, 'position_ids', cos, sin], [output], {
      interleaved: { int: 0 },
    });
    return output;
  };
}
