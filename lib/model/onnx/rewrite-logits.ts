import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, mkdtemp, open, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { encodeInitializer, encodeNode, encodeValueInfo } from '../build/onnx-proto.ts';
import { bytesField, bytesHeader } from '../build/protobuf.ts';
import { type Extent, type NodeLayout, type OnnxLayout, readOnnxLayout } from './onnx-layout.ts';

/**
 * Copies a graph that returns logits for all tokens and makes it return them only for the last
 * `num_logits_to_keep` tokens (a new input; 0 keeps all): the output layer is a tenth of the work of a
 * prompt, and its rows are copied out. Returns the path of the copy, in its own folder under `cache`, where
 * it is reused; the weights stay in their files. Null if the graph already has this input, has another
 * structure, or the copy cannot be stored.
 */
export async function keepLastRows(file: string, cache: string): Promise<string | null> {
  const layout = await readOnnxLayout(file);
  const head = layout && outputLayer(layout);
  if (layout === null || head === null) return null;
  if (!(await areOwn(file, layout.dataFiles))) return null;
  try {
    const folder = join(cache, await keyOf(file, layout));
    const made = join(folder, basename(file));
    if (await isThere(made)) return made;
    await ensureDirectory(cache);
    const draft = await mkdtemp(`${folder}.`);
    try {
      await pipeline(rewritten(file, layout, head), createWriteStream(join(draft, basename(file))));
      for (const name of layout.dataFiles) await share(join(dirname(file), name), join(draft, name));
      await rename(draft, folder);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      // Another process may have been faster.
      if (!(await isThere(made))) throw error;
    }
    return made;
  } catch {
    return null;
  }
}

/**
 * Whether the weight files belong to the model: they are in its folder, or link into the same repository in
 * the hub's cache. Links to anywhere else are not hard-linked into our own folder.
 */
async function areOwn(file: string, names: ReadonlySet<string>): Promise<boolean> {
  const folder = await realpath(dirname(file));
  const repository = /^(.*[\\/]models--[^\\/]+)[\\/]snapshots[\\/]/.exec(`${folder}${sep}`)?.[1];
  const folders = [folder, ...(repository === undefined ? [] : [join(repository, 'blobs')])];
  for (const name of names) {
    if (name !== basename(name)) return false;
    const target = await realpath(join(folder, name)).catch(() => null);
    if (target === null || !folders.includes(dirname(target))) return false;
    if (!(await stat(target)).isFile()) return false;
  }
  return true;
}

/**
 * The node that multiplies [batch, tokens, hidden] by the vocabulary's weights; null if that is ambiguous.
 */
function outputLayer({ nodes, values }: OnnxLayout): NodeLayout | null {
  if (values.has(KEPT_INPUT)) return null;
  const makers = new Map(nodes.flatMap(node => node.outputs.map(output => [output, node] as const)));
  let waiting = ['logits'];
  for (let distance = 0; distance < 8; distance++) {
    const found = waiting.flatMap(name => makers.get(name) ?? []);
    const products = found.filter(({ operator }) => PRODUCTS.includes(operator));
    if (products.length > 0) return products.length === 1 ? (products[0] ?? null) : null;
    waiting = found.filter(({ operator }) => ELEMENTWISE.includes(operator)).flatMap(({ inputs }) => inputs);
  }
  return null;
}

const KEPT_INPUT = 'num_logits_to_keep';
const PRODUCTS = [
  'MatMul',
  'MatMulNBits',
  'MatMulBnb4',
  'MatMulInteger',
  'DynamicQuantizeMatMul',
  'FusedMatMul',
];
const ELEMENTWISE = ['Cast', 'Identity', 'Add', 'Mul', 'Div', 'Tanh'];

/** The file's bytes, with the unneeded rows dropped before the output layer. */
function rewritten(file: string, layout: OnnxLayout, head: NodeLayout): Readable {
  const { graph, shapes } = layout;
  const field = head.inputFields[0];
  if (field === undefined) throw new Error('the output layer has no input');
  const renamed = bytesField(NODE_INPUT, LAST_ROWS);
  const headLength = head.end - head.content + renamed.length - (field.end - field.start);
  /** Edits in file order; the bytes between them are unchanged. */
  const changes: {
    readonly at: Extent;
    readonly bytes: readonly (Buffer | [start: number, end: number])[];
  }[] = [
    ...shapes.map(at => ({ at, bytes: [] })),
    {
      at: head,
      bytes: [
        sliceNodes(head.inputs[0] ?? ''),
        bytesHeader(GRAPH_NODE, headLength),
        [head.content, field.start],
        renamed,
        [field.end, head.end],
      ],
    },
  ];
  changes.sort((one, other) => one.at.start - other.at.start);
  const pieces: (Buffer | [start: number, end: number])[] = [];
  let done = graph.content;
  for (const { at, bytes } of changes) {
    pieces.push([done, at.start], ...bytes);
    done = at.end;
  }
  pieces.push([done, graph.end], keptInput());
  const length = pieces.reduce(
    (sum, piece) => sum + (Array.isArray(piece) ? piece[1] - piece[0] : piece.length),
    0,
  );
  const header = bytesHeader(MODEL_GRAPH, length);
  return Readable.from(contents(file, [[0, graph.start], header, ...pieces, [graph.end, layout.bytes]]));
}

const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const GRAPH_INITIALIZER = 5;
const GRAPH_INPUT = 11;
const NODE_INPUT = 1;
const LAST_ROWS = 'hefix.last_rows';

async function* contents(
  file: string,
  pieces: readonly (Buffer | readonly [start: number, end: number])[],
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (piece instanceof Buffer) yield piece;
    else if (piece[1] > piece[0]) yield* createReadStream(file, { start: piece[0], end: piece[1] - 1 });
  }
}

/** hidden [batch, tokens, hidden] → its last rows. */
function sliceNodes(hidden: string): Buffer {
  const node = (operator: string, inputs: readonly string[], output: string): Buffer =>
    bytesField(GRAPH_NODE, encodeNode({ operator, domain: '', inputs, outputs: [output], attributes: {} }));
  return Buffer.concat([
    node('Reshape', [KEPT_INPUT, 'hefix.one'], 'hefix.kept'),
    node('Neg', ['hefix.kept'], 'hefix.start'),
    node('Slice', [hidden, 'hefix.start', 'hefix.end', 'hefix.one'], LAST_ROWS),
  ]);
}

function keptInput(): Buffer {
  const integer = (name: string, value: bigint): Buffer => {
    const data = new Uint8Array(BigInt64Array.of(value).buffer);
    return bytesField(GRAPH_INITIALIZER, encodeInitializer({ name, type: 'int64', dims: [1], data }));
  };
  return Buffer.concat([
    // The shape of one element and the axis of tokens happen to be the same number.
    integer('hefix.one', 1n),
    integer('hefix.end', 2n ** 63n - 1n),
    bytesField(GRAPH_INPUT, encodeValueInfo({ name: KEPT_INPUT, type: 'int64', dims: [] })),
  ]);
}

/** Changes with the files' contents, as far as their sizes and times show. */
async function keyOf(file: string, { dataFiles }: OnnxLayout): Promise<string> {
  const hash = createHash('sha256').update('last rows 1');
  for (const path of [file, ...[...dataFiles].sort().map(name => join(dirname(file), name))]) {
    const { size, mtimeMs } = await stat(path);
    hash.update(`\n${await realpath(path)} ${size} ${mtimeMs}`);
  }
  return hash.digest('hex').slice(0, 32);
}

async function isThere(path: string): Promise<boolean> {
  const file = await open(path).catch(() => null);
  await file?.close();
  return file !== null;
}

/**
 * onnxruntime reads external data only from the graph's own folder, so the file is copied if it cannot be
 * linked.
 */
async function share(from: string, to: string): Promise<void> {
  const target = await realpath(from);
  await link(target, to)
    .catch(() => symlink(target, to))
    .catch(() => copyFile(target, to));
}
