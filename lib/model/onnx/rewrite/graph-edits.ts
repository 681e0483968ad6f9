import {
  type Attribute,
  bytesField,
  type ElementType,
  encodeInitializer,
  encodeNode,
  encodeValueInfo,
} from '../../build/onnx-proto.ts';

/** A change of an ONNX file: the bytes from `start` to `end` are replaced. Equal offsets insert. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

/** New bytes, or a range of the original file. */
export type Piece = Buffer | readonly [start: number, end: number];

/** Field numbers of GraphProto. */
export const GRAPH = { node: 1, initializer: 5, input: 11, output: 12 };

/** A standard ONNX operator with one output. */
export function nodeField(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, Attribute>> = {},
): Buffer {
  return bytesField(GRAPH.node, encodeNode({ operator, domain: '', inputs, outputs: [output], attributes }));
}

/** A constant, int64 [1]. */
export function integerField(name: string, value: bigint): Buffer {
  const data = new Uint8Array(BigInt64Array.of(value).buffer);
  return bytesField(GRAPH.initializer, encodeInitializer({ name, type: 'int64', dims: [1], data }));
}

export function valueField(
  kind: 'input' | 'output',
  name: string,
  type: ElementType,
  dims: readonly (number | string)[],
): Buffer {
  return bytesField(GRAPH[kind], encodeValueInfo({ name, type, dims }));
}

/** As the end of a slice: everything to the end. */
export const TO_THE_END = 2n ** 63n - 1n;
