import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { closestMatch } from 'leven';
import { HefixError } from '../lib/core/errors.ts';
import type { Task } from '../lib/core/task.ts';
import { shortened } from '../lib/core/text.ts';
import type { HubOptions } from '../lib/files/hub/fetch-files.ts';
import { readRegular } from '../lib/files/untrusted-file.ts';
import { bundledDataset, bundledNames } from './bundled.ts';
import { type RawRow, type RowOptions, rowsToTasks } from './columns.ts';
import {
  datasetCorrupt,
  datasetEmpty,
  datasetExtension,
  datasetJson,
  datasetLanguage,
  datasetNotFound,
  datasetNotReadable,
  datasetTooLarge,
  datasetUnknown,
} from './errors.ts';
import type { HubDataFile } from './hub/hub-dataset.ts';
import { parseParquet } from './parquet.ts';

export interface Dataset {
  /** The bundled name, the name of a dataset on the hub as given, without a revision, or the file name without its folder. */
  readonly name: string;
  /** SHA-256 of the file's bytes in hex, as printed by `sha256sum`. Several files are hashed in sequence. */
  readonly fingerprint: string;
  /** The hub's commit; undefined for other sources. */
  readonly revision?: string;
  readonly tasks: readonly Task[];
}

/** Without a language, it is derived from the task ids, with Python as the default. */
export interface LoadOptions extends HubOptions, RowOptions {}

/**
 * Reads a bundled set (`mini`), a file (`.parquet`, `.jsonl`, `.jsonl.gz`) or a dataset on the hub
 * (`humanevalpack`, `owner/name`, `owner/name@revision`) with HumanEvalPack's columns. Files that are not in
 * the hub's cache are downloaded. Throws a HefixError that names the dataset, file or row, and the HUB_
 * errors.
 *
 * ```ts
 * import { loadDataset, repair } from 'hefix';
 *
 * const { tasks } = await loadDataset('mini');
 * for (const { id, buggy, tests, entryPoint } of tasks.slice(0, 2))
 *   console.log(id, (await repair({ code: buggy, tests, entryPoint })).outcome);
 * ```
 */
export async function loadDataset(nameOrPath: string, options: LoadOptions = {}): Promise<Dataset> {
  const { language, columns } = options;
  const bundled = bundledDataset(nameOrPath);
  if (bundled && language !== undefined && language !== bundled.language) {
    throw datasetLanguage(nameOrPath, 1, bundled.language, language);
  }
  if (bundled)
    return {
      ...(await readTasks([asHubFile(bundled.path)], { language: bundled.language, columns })),
      name: nameOrPath,
    };
  if (await isOnHub(nameOrPath)) return await loadFromHub(nameOrPath, options);
  const path = await localFile(nameOrPath);
  return { ...(await readTasks([asHubFile(path)], { language, columns })), name: basename(path) };
}

/** Datasets on the hub with a short name. */
const hubNames: ReadonlyMap<string, string> = new Map([['humanevalpack', 'bigcode/humanevalpack']]);

async function isOnHub(nameOrPath: string): Promise<boolean> {
  const [name = ''] = nameOrPath.split('@');
  if (hubNames.has(name)) return true;
  const isFile = extensionOf(nameOrPath) !== undefined || (await exists(nameOrPath));
  return !isFile && /^[\w-][\w.-]*\/[\w.-]+(@.*)?$/.test(nameOrPath);
}

async function loadFromHub(nameOrPath: string, options: LoadOptions): Promise<Dataset> {
  const [name = '', ...rest] = nameOrPath.split('@');
  const pinned = rest.length > 0 ? { revision: rest.join('@') } : {};
  const id = hubNames.get(name) ?? name;
  const { hubDataset } = await import('./hub/hub-dataset.ts');
  const { commit, files, language } = await hubDataset(id, { maxBytes: MAX_BYTES, ...options, ...pinned });
  const read = await readTasks(files, { language: language ?? options.language, columns: options.columns });
  return { ...read, name, revision: commit };
}

function asHubFile(path: string): HubDataFile {
  return { path, label: path };
}

/** The rows of one file, or of one table that is split into several files. */
async function readTasks(
  files: readonly HubDataFile[],
  options: RowOptions,
): Promise<Pick<Dataset, 'fingerprint' | 'tasks'>> {
  const hash = createHash('sha256');
  const rows: RawRow[] = [];
  let characters = 0;
  for (const { path, label } of files) {
    const bytes = await read(path, label);
    hash.update(bytes);
    for (const row of await parse(label, bytes)) {
      characters += lengthOf(row);
      if (characters > MAX_BYTES)
        throw datasetTooLarge(label, 'more to unpack', `${MAX_BYTES / 2 ** 20} MiB`);
      rows.push(row);
    }
  }
  const label = files.map(file => file.label).join(', ');
  if (rows.length === 0) throw datasetEmpty(label);
  return { fingerprint: hash.digest('hex'), tasks: rowsToTasks(label, rows, options) };
}

/** Characters in a row: a dictionary in a small file may repeat one long value in a million rows. */
function lengthOf({ value }: RawRow): number {
  const values: unknown[] = Object.values(Object(value));
  return values.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

/** Far above any task set (HumanEvalPack has less than a MiB per language), far below a machine's memory. */
const MAX_BYTES = 256 * 2 ** 20;
const MAX_ROWS = 1_000_000;

const parsers: Readonly<Record<string, (path: string, bytes: Uint8Array) => RawRow[] | Promise<RawRow[]>>> = {
  '.parquet': (path, bytes) => parseParquet(path, bytes, { maxBytes: MAX_BYTES, maxRows: MAX_ROWS }),
  '.jsonl': parseJsonl,
  '.jsonl.gz': (path, bytes) => parseJsonl(path, gunzip(path, bytes, MAX_BYTES)),
};
const extensions = Object.keys(parsers);

function extensionOf(path: string): string | undefined {
  return extensions.find(extension => path.toLowerCase().endsWith(extension));
}

/** Distinguishes paths from names, which have no `.`, `/` or `\`. */
async function localFile(nameOrPath: string): Promise<string> {
  if (extensionOf(nameOrPath)) return nameOrPath;
  if (await exists(nameOrPath)) throw datasetExtension(nameOrPath, extensions);
  if (/[./\\]/.test(nameOrPath)) throw datasetNotFound(nameOrPath);
  const names = [...bundledNames, ...hubNames.keys()];
  throw datasetUnknown(nameOrPath, closestMatch(nameOrPath, names, { maxDistance: 4 }));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** `label`: the file's name in error messages. */
async function read(path: string, label: string): Promise<Uint8Array> {
  try {
    const info = await stat(path);
    if (!info.isFile()) throw new Error('it is not a file');
    if (info.size > MAX_BYTES) throw datasetTooLarge(label, `${info.size} bytes`, `${MAX_BYTES}`);
    if (info.size === 0) throw datasetEmpty(label);
    return await readRegular(path, MAX_BYTES);
  } catch (cause) {
    if (cause instanceof HefixError) throw cause;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') throw datasetNotFound(label);
    throw datasetNotReadable(label, cause);
  }
}

function parse(path: string, bytes: Uint8Array): RawRow[] | Promise<RawRow[]> {
  const parser = parsers[extensionOf(path) ?? ''];
  if (!parser) throw datasetExtension(path, extensions);
  return parser(path, bytes);
}

/** One JSON object per line, UTF-8; blank lines are counted but skipped. */
function parseJsonl(path: string, bytes: Uint8Array): RawRow[] {
  return decodeUtf8(path, bytes)
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({ number, value: parseLine(path, line, number) }));
}

/** `maxBytes` limits the decompressed size. */
export function gunzip(path: string, bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (cause instanceof RangeError)
      throw datasetTooLarge(path, 'more to unpack', `${maxBytes / 2 ** 20} MiB`);
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const problem =
      code === 'Z_BUF_ERROR' ? 'ends in the middle of its gzip stream' : 'is not a valid gzip file';
    throw datasetCorrupt(path, problem, cause);
  }
}

function decodeUtf8(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw datasetCorrupt(path, 'is not UTF-8 text', cause);
  }
}

function parseLine(path: string, line: string, number: number): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw datasetJson(path, number, cause instanceof Error ? onOneLine(cause.message) : String(cause));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw datasetJson(path, number, `it is ${shortened(line, 40)}`);
}

function onOneLine(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/\.$/, '');
}
