import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { closestMatch } from 'leven';
import {
  datasetEmpty,
  datasetExtension,
  datasetLanguage,
  datasetNotFound,
  datasetNotLocal,
  datasetNotReadable,
  datasetTooLarge,
  datasetUnknown,
  HefixError,
} from '../lib/core/errors.ts';
import type { Language, Task } from '../lib/core/task.ts';
import { bundledDataset, bundledNames } from './bundled.ts';
import { type RawRow, rowsToTasks } from './columns.ts';
import { gunzip, parseJsonl } from './jsonl.ts';
import { parseParquet } from './parquet.ts';

export interface Dataset {
  /** The bundled name, or the file's name without its folder. */
  readonly name: string;
  /** SHA-256 of the file's bytes, in hex: what `sha256sum` prints. */
  readonly fingerprint: string;
  readonly tasks: readonly Task[];
}

export interface LoadOptions {
  /** Without it, the language that the task ids tell, else Python. */
  readonly language?: Language | undefined;
}

/**
 * Reads a bundled set (`mini`) or a file (`.parquet`, `.jsonl`, `.jsonl.gz`) in HumanEvalPack's columns.
 * Throws a HefixError that says what is wrong with the name, the file or the row.
 */
export async function loadDataset(nameOrPath: string, { language }: LoadOptions = {}): Promise<Dataset> {
  const known = bundledDataset(nameOrPath);
  if (known && language !== undefined && language !== known.language) {
    throw datasetLanguage(nameOrPath, 1, known.language, language);
  }
  const path = known?.path ?? (await localFile(nameOrPath));
  const bytes = await read(path);
  const rows = await parse(path, bytes);
  if (rows.length === 0) throw datasetEmpty(path);
  return {
    name: known ? nameOrPath : basename(path),
    fingerprint: createHash('sha256').update(bytes).digest('hex'),
    tasks: rowsToTasks(path, rows, known?.language ?? language),
  };
}

/** Far above any set of tasks (HumanEvalPack has under a MiB a language), far below what a machine has. */
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

/** Tells a path from a name: names have neither an extension nor a leading `.`, `/` or `~`. */
async function localFile(nameOrPath: string): Promise<string> {
  if (extensionOf(nameOrPath)) return nameOrPath;
  if (await exists(nameOrPath)) throw datasetExtension(nameOrPath, extensions);
  if (nameOrPath === 'humanevalpack' || /^[\w-][\w.-]*\/[\w.-]+$/.test(nameOrPath))
    throw datasetNotLocal(nameOrPath);
  if (/[./\\]/.test(nameOrPath)) throw datasetNotFound(nameOrPath);
  const names = [...bundledNames, 'humanevalpack'];
  throw datasetUnknown(nameOrPath, closestMatch(nameOrPath, names, { maxDistance: 4 }));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function read(path: string): Promise<Uint8Array> {
  try {
    const info = await stat(path);
    if (!info.isFile()) throw new Error('it is not a file');
    if (info.size > MAX_BYTES) throw datasetTooLarge(path, `${info.size} bytes`, `${MAX_BYTES}`);
    if (info.size === 0) throw datasetEmpty(path);
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof HefixError) throw cause;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') throw datasetNotFound(path);
    throw datasetNotReadable(path, cause);
  }
}

function parse(path: string, bytes: Uint8Array): RawRow[] | Promise<RawRow[]> {
  const parser = parsers[extensionOf(path) ?? ''];
  if (!parser) throw datasetExtension(path, extensions);
  return parser(path, bytes);
}
