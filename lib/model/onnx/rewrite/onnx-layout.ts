import { openRegular } from '../../../files/untrusted-file.ts';
import {
  type Bytes,
  type Extent,
  fields,
  inside,
  NotProtobuf,
  openBytes,
  text,
  varint,
} from './protobuf-reader.ts';

export interface NodeLayout extends Extent {
  readonly operator: string;
  /** Empty for standard ONNX operators. */
  readonly domain: string;
  readonly inputs: readonly string[];
  /** Offsets of each input's name. */
  readonly inputFields: readonly Extent[];
  readonly outputs: readonly string[];
}

/** An input or output of the graph. */
export interface ValueLayout extends Extent {
  /** Element type of a tensor, as onnx.proto numbers them; 0 if unknown. */
  readonly type: number;
  /** Dynamic dimensions have names, which may be empty. */
  readonly dims: readonly (number | string)[];
}

/** The contents of an ONNX file without its weights, which are skipped to save memory. */
export interface OnnxLayout {
  readonly bytes: number;
  readonly graph: Extent;
  readonly nodes: readonly NodeLayout[];
  /** Inputs and outputs by name. */
  readonly values: ReadonlyMap<string, ValueLayout>;
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
  const file = await openRegular(path);
  try {
    return await readModel(await openBytes(file));
  } catch (error) {
    if (error instanceof NotProtobuf) return null;
    throw error;
  } finally {
    await file.close();
  }
}

async function readModel(bytes: Bytes): Promise<OnnxLayout | null> {
  const nodes: NodeLayout[] = [];
  const values = new Map<string, ValueLayout>();
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
        await readValue(bytes, field, values);
      }
    }
  }
  return graph && { bytes: bytes.length, graph, nodes, values, shapes, dataFiles };
}

const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, shape: 13 };
const NODE = { input: 1, output: 2, operator: 4, domain: 7 };
/** Each is a field of the one before. */
const VALUE = { name: 1, type: 2, tensor: 1, elementType: 1, shape: 2, dim: 1, size: 1, sizeName: 2 };
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

async function readValue(bytes: Bytes, value: Extent, values: Map<string, ValueLayout>): Promise<void> {
  const { start, content, end } = value;
  const dims: (number | string)[] = [];
  let name = '';
  let type = 0;
  for await (const part of fields(bytes, content, end)) {
    if (part.field === VALUE.name) name = await text(bytes, part.content, part.end);
    if (part.field !== VALUE.type) continue;
    for await (const tensor of inside(bytes, part, VALUE.tensor)) {
      for await (const one of inside(bytes, tensor, VALUE.elementType)) {
        type = (await varint(bytes, one.content)).value;
      }
      for await (const shape of inside(bytes, tensor, VALUE.shape)) {
        for await (const dim of inside(bytes, shape, VALUE.dim)) {
          let size: number | string = '';
          for await (const one of fields(bytes, dim.content, dim.end)) {
            if (one.field === VALUE.size) size = (await varint(bytes, one.content)).value;
            if (one.field === VALUE.sizeName) size = await text(bytes, one.content, one.end);
          }
          dims.push(size);
        }
      }
    }
  }
  values.set(name, { start, content, end, type, dims });
}

async function readDataFile(bytes: Bytes, tensor: Extent, locations: Set<string>): Promise<void> {
  for await (const part of fields(bytes, tensor.content, tensor.end)) {
    if (part.field !== TENSOR_EXTERNAL_DATA) continue;
    let key = '';
    for await (const { field, content, end } of fields(bytes, part.content, part.end)) {
      if (field === ENTRY.key) key = await text(bytes, content, end);
      if (field === ENTRY.value && key === 'location') locations.add(await text(bytes, content, end));
    }
  }
}
