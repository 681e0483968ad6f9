/**
 * The messages of onnx.proto that our graphs use, and their encoding. Hand-written: a schema library would be
 * a dependency for a dozen messages that never change.
 * Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */

const elementTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const;
export type ElementType = keyof typeof elementTypes;

export type Attribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly ints: readonly number[] }
  | { readonly branch: Branch };

/** A graph of an If node: it has no inputs, but sees the values around it. */
export interface Branch {
  readonly nodes: readonly Node[];
  readonly outputs: readonly string[];
}

export interface Node {
  readonly operator: string;
  /** Empty for standard ONNX operators. */
  readonly domain: string;
  /** An empty name stands for an omitted optional input. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** A weight, stored in the graph or in the external data file. */
export interface Initializer {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly data: Uint8Array | { readonly location: string; readonly offset: number; readonly length: number };
}

/** An input or output; dynamic dimensions have names. */
export interface ValueInfo {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly name: string;
  readonly nodes: readonly Node[];
  readonly initializers: readonly Initializer[];
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
}

/** Encodes a ModelProto. `producer` is shown by graph viewers. */
export function encodeModel(graph: OnnxGraph, producer: string): Buffer {
  return Buffer.concat([
    integerField(1, IR_VERSION),
    bytesField(2, producer),
    bytesField(7, encodeGraph(graph)),
    bytesField(8, operatorSet('', OPSET)),
    bytesField(8, operatorSet('com.microsoft', 1)),
  ]);
}

/** ONNX 1.16, supported by onnxruntime since 1.18. */
const IR_VERSION = 10;
const OPSET = 21;

function operatorSet(domain: string, version: number): Buffer {
  return Buffer.concat([bytesField(1, domain), integerField(2, version)]);
}

function encodeGraph(graph: OnnxGraph): Buffer {
  return Buffer.concat([
    ...graph.nodes.map(node => bytesField(1, encodeNode(node))),
    bytesField(2, graph.name),
    ...graph.initializers.map(initializer => bytesField(5, encodeInitializer(initializer))),
    ...graph.inputs.map(input => bytesField(11, encodeValueInfo(input))),
    ...graph.outputs.map(output => bytesField(12, encodeValueInfo(output))),
  ]);
}

export function encodeNode({ operator, domain, inputs, outputs, attributes }: Node): Buffer {
  return Buffer.concat([
    ...inputs.map(name => bytesField(1, name)),
    ...outputs.map(name => bytesField(2, name)),
    bytesField(3, outputs[0] ?? operator),
    bytesField(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytesField(5, encodeAttribute(name, value))),
    bytesField(7, domain),
  ]);
}

function encodeAttribute(name: string, value: Attribute): Buffer {
  const [kind, content] =
    'int' in value
      ? [2, integerField(3, value.int)]
      : 'float' in value
        ? [1, floatField(2, value.float)]
        : 'ints' in value
          ? [7, integerFields(8, value.ints)]
          : [5, bytesField(6, encodeBranch(name, value.branch))];
  return Buffer.concat([bytesField(1, name), content, integerField(20, kind)]);
}

function encodeBranch(name: string, { nodes, outputs }: Branch): Buffer {
  return Buffer.concat([
    ...nodes.map(node => bytesField(1, encodeNode(node))),
    bytesField(2, name),
    ...outputs.map(output => bytesField(12, bytesField(1, output))),
  ]);
}

export function encodeInitializer({ name, type, dims, data }: Initializer): Buffer {
  const head = [integerFields(1, dims), integerField(2, elementTypes[type]), bytesField(8, name)];
  if (data instanceof Uint8Array) return Buffer.concat([...head, bytesField(9, data)]);
  const entries = Object.entries(data).map(([key, value]) =>
    bytesField(13, Buffer.concat([bytesField(1, key), bytesField(2, String(value))])),
  );
  return Buffer.concat([...head, ...entries, integerField(14, EXTERNAL)]);
}

const EXTERNAL = 1;

export function encodeValueInfo({ name, type, dims }: ValueInfo): Buffer {
  const shape = dims.map(dim =>
    bytesField(1, typeof dim === 'number' ? integerField(1, dim) : bytesField(2, dim)),
  );
  const tensor = Buffer.concat([integerField(1, elementTypes[type]), bytesField(2, Buffer.concat(shape))]);
  return Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensor))]);
}

/**
 * The three protobuf wire types that onnx.proto needs. Source:
 * https://protobuf.dev/programming-guides/encoding/
 */

/** int32, int64 and enums; negative numbers take ten bytes (64-bit two's complement). */
function integerField(field: number, value: number): Buffer {
  return Buffer.from([...varint(field * 8), ...varint(value)]);
}

/** Strings, bytes and messages. */
export function bytesField(field: number, value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([bytesHeader(field, bytes.length), bytes]);
}

function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([Buffer.from(varint(field * 8 + 5)), bytes]);
}

/** A repeated field of integers, not packed. */
function integerFields(field: number, values: readonly number[]): Buffer {
  return Buffer.concat(values.map(value => integerField(field, value)));
}

/** The tag and length that precede `length` bytes of content. */
export function bytesHeader(field: number, length: number): Buffer {
  return Buffer.from([...varint(field * 8 + 2), ...varint(length)]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return bytes;
}
