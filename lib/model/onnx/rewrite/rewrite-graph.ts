import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, readdir, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ensureDirectory } from '../../../files/ensure-directory.ts';
import { hefixVersion } from '../../../files/package.ts';
import { openRegular } from '../../../files/untrusted-file.ts';
import { removeLeftovers, temporaryName } from '../../../files/write-file-atomic.ts';
import { bytesField, bytesHeader } from '../../build/onnx-proto.ts';
import {
  type Edit,
  GRAPH,
  integerField,
  nodeField,
  type Piece,
  TO_THE_END,
  valueField,
} from './graph-edits.ts';
import { type NodeLayout, type OnnxLayout, readOnnxLayout } from './onnx-layout.ts';
import { newRowsEdits } from './rewrite-cache.ts';

/**
 * Copies a graph and makes it return only what the generation loop reads: the last rows of logits and, with `newRows`,
 * new keys and values instead of whole caches. The logits are the same. Returns the path of the copy, in its own
 * folder under `cache`, where it is reused; the weights stay in their files. Copies of other versions of hefix,
 * and of the same graph as it was, are removed. Null if the graph has nothing to change or another structure, or the
 * copy cannot be stored.
 */
export async function rewriteGraph(file: string, cache: string, newRows: boolean): Promise<string | null> {
  const layout = await readOnnxLayout(file);
  if (layout === null) return null;
  const edits = [...lastRowsEdits(layout), ...(newRows ? newRowsEdits(layout) : [])];
  if (edits.length === 0 || !(await areOwn(file, layout.dataFiles))) return null;
  try {
    const names = await namesOf(file, layout, newRows);
    const folder = join(cache, names.name);
    const made = join(folder, basename(file));
    if (await isThere(made)) return made;
    await ensureDirectory(cache);
    await removeLeftovers(cache);
    const draft = temporaryName(folder);
    await mkdir(draft);
    try {
      await pipeline(edited(file, layout, edits), createWriteStream(join(draft, basename(file))));
      for (const name of layout.dataFiles) await share(join(dirname(file), name), join(draft, name));
      await rename(draft, folder);
      await removeOld(cache, names);
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

/** The file's bytes with the edits, which do not overlap. */
function edited(file: string, { bytes, graph }: OnnxLayout, edits: readonly Edit[]): Readable {
  const pieces: Piece[] = [];
  let done = graph.content;
  for (const { start, end, pieces: replacement } of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push([done, start], ...replacement);
    done = end;
  }
  pieces.push([done, graph.end]);
  const length = pieces.reduce(
    (sum, piece) => sum + (piece instanceof Buffer ? piece.length : piece[1] - piece[0]),
    0,
  );
  const header = bytesHeader(MODEL_GRAPH, length);
  return Readable.from(contents(file, [[0, graph.start], header, ...pieces, [graph.end, bytes]]));
}

const MODEL_GRAPH = 7;

async function* contents(file: string, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (piece instanceof Buffer) yield piece;
    else if (piece[1] > piece[0]) {
      const weights = await openRegular(file);
      yield* weights.createReadStream({ start: piece[0], end: piece[1] - 1 });
    }
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

/** Of the folder with a copy: `0.1.0-<hash of the graph's path>-<hash of the files' state>`. */
interface CopyNames {
  readonly name: string;
  readonly ofVersion: string;
  readonly ofGraph: string;
}

/** Changes with the files' contents, as far as their sizes and times show. */
async function namesOf(file: string, { dataFiles }: OnnxLayout, newRows: boolean): Promise<CopyNames> {
  const hash = createHash('sha256').update(`last rows 1, ${newRows ? 'new rows 1' : 'whole caches'}`);
  for (const path of [file, ...[...dataFiles].sort().map(name => join(dirname(file), name))]) {
    const { size, mtimeMs } = await stat(path);
    hash.update(`\n${await realpath(path)} ${size} ${mtimeMs}`);
  }
  const graph = createHash('sha256').update(`${newRows} ${await realpath(file)}`);
  const ofVersion = `${hefixVersion()}-`;
  const ofGraph = `${ofVersion}${graph.digest('hex').slice(0, 16)}-`;
  return { name: `${ofGraph}${hash.digest('hex').slice(0, 32)}`, ofVersion, ofGraph };
}

/** Removes copies that other versions of hefix made, and those of the same graph as it was. */
async function removeOld(cache: string, { name, ofVersion, ofGraph }: CopyNames): Promise<void> {
  for (const other of await readdir(cache)) {
    if (other === name || other.endsWith('.tmp')) continue;
    if (!other.startsWith(ofVersion) || other.startsWith(ofGraph))
      await rm(join(cache, other), { recursive: true, force: true }).catch(() => {});
  }
}

async function isThere(path: string): Promise<boolean> {
  const file = await openRegular(path).catch(() => null);
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

/**
 * Makes a graph that returns logits for all tokens return them only for the last `num_logits_to_keep` tokens (a new
 * input; 0 keeps all): the output layer is a tenth of the work of a prompt, and its rows are copied out. No edits if
 * the graph already has this input or has another structure.
 */
function lastRowsEdits(layout: OnnxLayout): readonly Edit[] {
  const head = outputLayer(layout);
  const field = head?.inputFields[0];
  if (head === null || field === undefined) return [];
  const renamed = bytesField(NODE_INPUT, LAST_ROWS);
  const headLength = head.end - head.content + renamed.length - (field.end - field.start);
  return [
    // Recorded shapes would contradict the shorter logits.
    ...layout.shapes.map(({ start, end }) => ({ start, end, pieces: [] })),
    {
      start: head.start,
      end: head.end,
      pieces: [
        sliceNodes(head.inputs[0] ?? ''),
        bytesHeader(GRAPH.node, headLength),
        [head.content, field.start],
        renamed,
        [field.end, head.end],
      ],
    },
    { start: layout.graph.end, end: layout.graph.end, pieces: [keptInput()] },
  ];
}

const NODE_INPUT = 1;
const LAST_ROWS = 'hefix.last_rows';

/**
 * The node that multiplies [batch, tokens, hidden] by the vocabulary's weights; null if that is ambiguous.
 */
function outputLayer({ nodes, values }: OnnxLayout): NodeLayout | null {
  if (values.has(KEPT_INPUT)) return null;
  const makers = new Map(nodes.flatMap(node => node.outputs.map(output => [output, node] as const)));
  let waiting = ['logits'];
  for (let distance = 0; distance < 8; distance++) {
    const producers = waiting.flatMap(name => makers.get(name) ?? []);
    const products = producers.filter(({ operator }) => PRODUCTS.includes(operator));
    if (products.length > 0) return products.length === 1 ? (products[0] ?? null) : null;
    waiting = producers
      .filter(({ operator }) => ELEMENTWISE.includes(operator))
      .flatMap(({ inputs }) => inputs);
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

/** hidden [batch, tokens, hidden] → its last rows. */
function sliceNodes(hidden: string): Buffer {
  return Buffer.concat([
    nodeField('Reshape', [KEPT_INPUT, 'hefix.one'], 'hefix.kept'),
    nodeField('Neg', ['hefix.kept'], 'hefix.start'),
    nodeField('Slice', [hidden, 'hefix.start', 'hefix.end', 'hefix.one'], LAST_ROWS),
  ]);
}

function keptInput(): Buffer {
  return Buffer.concat([
    // The shape of one element and the axis of tokens happen to be the same number.
    integerField('hefix.one', 1n),
    integerField('hefix.end', TO_THE_END),
    valueField('input', KEPT_INPUT, 'int64', []),
  ]);
}
