import { type FileHandle, open } from 'node:fs/promises';

/** Byte offsets of a field: its tag (`start`), its content, and its end. */
export interface Extent {
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

export interface NodeLayout extends Extent {
  readonly operator: string;
  /** Empty for standard ONNX operators. */
  readonly domain: string;
  readonly inputs: readonly string[];
  /** Offsets of each input's name. */
  readonly inputFields: readonly Extent[];
  readonly outputs: readonly string[];
}

/** The contents of an ONNX file without its weights, which are skipped to save memory. */
export interface OnnxLayout {
  readonly bytes: number;
  readonly graph: Extent;
  readonly nodes: readonly NodeLayout[];
  /** Inputs and outputs by name. */
  readonly values: ReadonlyMap<string, Extent>;
  /** Shapes of intermediate values, if the exporter recorded them. */
  readonly shapes: readonly Extent[];
  /** Names of external data files. */
  readonly dataFiles: ReadonlySet<string>;
}

/**
 * Reads ModelProto and GraphProto of onnx.proto, as far as needed here. Null if the file has another
 * structure: onnxruntime then gives the better error.
 */
export async function readOnnxLayout(path: string): Promise<OnnxLayout | null> {
  const file = await open(path, 'r');
  try {
    return await readModel(await openBytes(file));
  } catch (error) {
    if (error instanceof NotProtobuf) return null;
    throw error;
  } finally {
    await file.close();
  }
}

class NotProtobuf extends Error {}

async function readModel(bytes: Bytes): Promise<OnnxLayout | null> {
  const nodes: NodeLayout[] = [];
  const values = new Map<string, Extent>();
  const shapes: Extent[] = [];
  const dataFiles = new Set<string>();
  let graph: Extent | null = null;
  for await (const part of fields(bytes, 0, bytes.length)) {
    if (part.field !== MODEL.graph) continue;
    graph = part;
    for await (const field of fields(bytes, part.content, part.end)) {
      if (field.field === GRAPH.node) nodes.push(await readNode(bytes, field));
      if (field.field === GRAPH.shape) shapes.push(field);
      if (field.field === GRAPH.initializer) await readDataFile(bytes, field, dataFiles);
      if (field.field === GRAPH.input || field.field === GRAPH.output) {
        for await (const { field: inner, content, end } of fields(bytes, field.content, field.end)) {
          if (inner === VALUE_NAME) values.set(await text(bytes, content, end), field);
        }
      }
    }
  }
  return graph && { bytes: bytes.length, graph, nodes, values, shapes, dataFiles };
}

const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, shape: 13 };
const NODE = { input: 1, output: 2, operator: 4, domain: 7 };
const VALUE_NAME = 1;
const TENSOR_EXTERNAL_DATA = 13;
const ENTRY = { key: 1, value: 2 };

async function readNode(bytes: Bytes, { start, content, end }: Extent): Promise<NodeLayout> {
  const node = {
    operator: '',
    domain: '',
    inputs: [] as string[],
    inputFields: [] as Extent[],
    outputs: [] as string[],
  };
  for await (const part of fields(bytes, content, end)) {
    if (part.field === NODE.input) {
      node.inputs.push(await text(bytes, part.content, part.end));
      node.inputFields.push(part);
    }
    if (part.field === NODE.output) node.outputs.push(await text(bytes, part.content, part.end));
    if (part.field === NODE.operator) node.operator = await text(bytes, part.content, part.end);
    if (part.field === NODE.domain) node.domain = await text(bytes, part.content, part.end);
  }
  return { start, content, end, ...node };
}

async function readDataFile(bytes: Bytes, tensor: Extent, found: Set<string>): Promise<void> {
  for await (const part of fields(bytes, tensor.content, tensor.end)) {
    if (part.field !== TENSOR_EXTERNAL_DATA) continue;
    let key = '';
    for await (const { field, content, end } of fields(bytes, part.content, part.end)) {
      if (field === ENTRY.key) key = await text(bytes, content, end);
      if (field === ENTRY.value && key === 'location') found.add(await text(bytes, content, end));
    }
  }
}

interface Field extends Extent {
  readonly field: number;
}

/** The fields of a message, in order. Source: https://protobuf.dev/programming-guides/encoding/ */
async function* fields(bytes: Bytes, from: number, to: number): AsyncGenerator<Field> {
  let start = from;
  while (start < to) {
    const tag = await varint(bytes, start);
    let content = tag.end;
    let end = content;
    const wireType = tag.value % 8;
    if (wireType === 0) end = (await varint(bytes, content)).end;
    else if (wireType === 1) end = content + 8;
    else if (wireType === 5) end = content + 4;
    else if (wireType === 2) {
      const length = await varint(bytes, content);
      content = length.end;
      end = content + length.value;
    } else throw new NotProtobuf();
    if (end > to) throw new NotProtobuf();
    yield { field: Math.floor(tag.value / 8), start, content, end };
    start = end;
  }
}

async function varint(bytes: Bytes, start: number): Promise<{ value: number; end: number }> {
  const view = await bytes.view(start, 10);
  let value = 0;
  for (let index = 0; index < view.length; index++) {
    value += (view[index]! & 0x7f) * 2 ** (7 * index);
    if (view[index]! < 0x80) return { value, end: start + index + 1 };
  }
  throw new NotProtobuf();
}

async function text(bytes: Bytes, start: number, end: number): Promise<string> {
  if (end - start > LONGEST_TEXT) throw new NotProtobuf();
  return (await bytes.view(start, end - start)).toString('utf8');
}

const LONGEST_TEXT = 2 ** 16;

interface Bytes {
  readonly length: number;
  /** Up to `length` bytes from `start`; fewer at the end of the file. */
  view(start: number, length: number): Promise<Buffer>;
}

/** Reads through a window, since most fields are small and adjacent. */
async function openBytes(file: FileHandle): Promise<Bytes> {
  const { size } = await file.stat();
  const window = Buffer.alloc(2 ** 18);
  let from = 0;
  let buffered = 0;
  return {
    length: size,
    async view(start, length) {
      if (start < from || start + length > from + buffered) {
        from = start;
        buffered = (await file.read(window, 0, window.length, start)).bytesRead;
      }
      return window.subarray(start - from, Math.min(start - from + length, buffered));
    },
  };
}
