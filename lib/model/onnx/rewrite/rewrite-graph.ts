import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, mkdtemp, open, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ensureDirectory } from '../../../files/ensure-directory.ts';
import { bytesHeader } from '../../build/protobuf.ts';
import type { Edit, Piece } from './graph-edits.ts';
import { type OnnxLayout, readOnnxLayout } from './onnx-layout.ts';
import { newRowsEdits } from './rewrite-cache.ts';
import { lastRowsEdits } from './rewrite-logits.ts';

/**
 * Copies a graph and makes it return only what the generation loop reads: the last rows of logits and, with `newRows`,
 * new keys and values instead of whole caches. The logits are the same. Returns the path of the copy, in its own
 * folder under `cache`, where it is reused; the weights stay in their files. Null if the graph has nothing to change
 * or another structure, or the copy cannot be stored.
 */
export async function rewriteGraph(file: string, cache: string, newRows: boolean): Promise<string | null> {
  const layout = await readOnnxLayout(file);
  if (layout === null) return null;
  const edits = [...lastRowsEdits(layout), ...(newRows ? newRowsEdits(layout) : [])];
  if (edits.length === 0 || !(await areOwn(file, layout.dataFiles))) return null;
  try {
    const folder = join(cache, await keyOf(file, layout, newRows));
    const made = join(folder, basename(file));
    if (await isThere(made)) return made;
    await ensureDirectory(cache);
    const draft = await mkdtemp(`${folder}.`);
    try {
      await pipeline(edited(file, layout, edits), createWriteStream(join(draft, basename(file))));
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

/** The file's bytes with the edits, which do not overlap. */
function edited(file: string, { bytes, graph }: OnnxLayout, edits: readonly Edit[]): Readable {
  const pieces: Piece[] = [];
  let done = graph.content;
  for (const { start, end, pieces: own } of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push([done, start], ...own);
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
    else if (piece[1] > piece[0]) yield* createReadStream(file, { start: piece[0], end: piece[1] - 1 });
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

/** Changes with the files' contents, as far as their sizes and times show. */
async function keyOf(file: string, { dataFiles }: OnnxLayout, newRows: boolean): Promise<string> {
  const hash = createHash('sha256').update(`last rows 1, ${newRows ? 'new rows 1' : 'whole caches'}`);
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
