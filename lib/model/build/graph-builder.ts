import { type FileHandle, open } from 'node:fs/promises';
import type {
  Attribute,
  Branch,
  ElementType,
  Initializer,
  Node,
  OnnxGraph,
  ValueInfo,
} from './onnx-proto.ts';

/** Collects the nodes and weights of a graph; values are identified by name. */
export interface GraphBuilder {
  /** Adds a node with a standard ONNX operator. */
  add(operator: string, inputs: readonly string[], outputs: readonly string[], attributes?: Attributes): void;
  /** Adds a node with one output and returns the output's name. */
  node(operator: string, inputs: readonly string[], attributes?: Attributes): string;
  /** Adds a node with an operator of com.microsoft. */
  contrib(
    operator: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes?: Attributes,
  ): void;
  /** Adds two branches; a pass runs one of them, by a condition. Both give the names of as many outputs. */
  either(condition: string, then: () => readonly string[], otherwise: () => readonly string[]): string[];
  /** A name that is not in use yet. */
  newName(stem: string): string;
  integers(values: readonly number[], dims: readonly number[]): string;
  float(value: number): string;
  /** A scalar. */
  byte(value: number): string;
  /** A weight in the external data file; returns its name. */
  weight(name: string, type: ElementType, dims: readonly number[], pieces: Pieces): Promise<string>;
  /** A weight [length]. */
  floats(name: string, values: Float32Array): Promise<string>;
  /** The bytes of an existing weight with other dimensions. */
  view(name: string, of: string, dims: readonly number[]): string;
  finish(name: string, inputs: readonly ValueInfo[], outputs: readonly ValueInfo[]): OnnxGraph;
}

type Attributes = Readonly<Record<string, Attribute>>;
type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** `stored`: weights that the external data file already holds; their contents are not read again. */
export function createGraphBuilder(
  external: ExternalData,
  stored: readonly Initializer[] = [],
): GraphBuilder {
  const dataByName = new Map(stored.map(({ name, data }) => [name, data]));
  let nodes: Node[] = [];
  const initializers = new Map<string, Initializer>();
  let values = 0;
  const newName = (stem: string): string => `${stem}_${values++}`;
  const inline = (type: ElementType, dims: readonly number[], array: ArrayBufferView): string => {
    const data = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const key = `${type}[${dims}]=${Buffer.from(data).toString('hex')}`;
    initializers.set(key, { name: key, type, dims, data });
    return key;
  };

  const branch = (build: () => readonly string[]): { branch: Branch } => {
    const outer = nodes;
    nodes = [];
    const outputs = build();
    const inner = nodes;
    nodes = outer;
    return { branch: { nodes: inner, outputs } };
  };

  const weight: GraphBuilder['weight'] = async (name, type, dims, pieces) => {
    initializers.set(name, {
      name,
      type,
      dims,
      data: dataByName.get(name) ?? (await external.write(pieces)),
    });
    return name;
  };

  return {
    newName,
    add(operator, inputs, outputs, attributes = {}) {
      nodes.push({ operator, domain: '', inputs, outputs, attributes });
    },
    node(operator, inputs, attributes = {}) {
      const output = newName(operator);
      nodes.push({ operator, domain: '', inputs, outputs: [output], attributes });
      return output;
    },
    contrib(operator, inputs, outputs, attributes = {}) {
      nodes.push({ operator, domain: 'com.microsoft', inputs, outputs, attributes });
    },
    either(condition, then, otherwise) {
      const attributes = { then_branch: branch(then), else_branch: branch(otherwise) };
      const outputs = attributes.then_branch.branch.outputs.map(() => newName('either'));
      nodes.push({ operator: 'If', domain: '', inputs: [condition], outputs, attributes });
      return outputs;
    },
    integers: (numbers, dims) => inline('int64', dims, BigInt64Array.from(numbers, BigInt)),
    float: value => inline('float32', [], Float32Array.of(value)),
    byte: value => inline('uint8', [], Uint8Array.of(value)),
    weight,
    floats: (name, values) => weight(name, 'float32', [values.length], [new Uint8Array(values.buffer)]),
    view(name, of, dims) {
      const original = initializers.get(of);
      if (original === undefined) throw new Error(`there is no weight ${of}`);
      initializers.set(name, { ...original, name, dims });
      return name;
    },
    finish: (name, inputs, outputs) => ({
      name,
      nodes,
      initializers: [...initializers.values()],
      inputs,
      outputs,
    }),
  };
}

/** The location of a weight's bytes in the external data file. */
interface Extent {
  readonly location: string;
  readonly offset: number;
  readonly length: number;
}

/** A graph's external data file, written from front to back. */
interface ExternalData {
  /** Writes one weight chunk by chunk, aligned to a page so that onnxruntime can memory-map it. */
  write(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Extent>;
  close(): Promise<void>;
}

/** `location` is the file name that the graph will contain. */
export async function createExternalData(path: string, location: string): Promise<ExternalData> {
  const file = await open(path, 'w');
  let end = 0;
  return {
    async write(pieces) {
      const offset = Math.ceil(end / PAGE_BYTES) * PAGE_BYTES;
      end = offset;
      for await (const piece of pieces) {
        await writeAll(file, piece, end);
        end += piece.byteLength;
      }
      return { location, offset, length: end - offset };
    },
    close: () => file.close(),
  };
}

const PAGE_BYTES = 4096;

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}
