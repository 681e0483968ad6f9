import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { recordsNotReadable } from './errors.ts';
import { manifestPath } from './manifest.ts';

/** A results file and its display name. */
export interface FoundRun {
  readonly path: string;
  readonly name: string;
}

/**
 * Finds results files in the given paths: files themselves, and in folders and their subfolders those with a
 * manifest next to them. Includes runs without any records yet; a folder may be empty or not exist yet. Links
 * in a folder are not followed, so that nothing outside of it is read.
 * @throws HefixError (`RECORDS_NOT_READABLE`)
 */
export async function findRuns(paths: readonly string[]): Promise<FoundRun[]> {
  const found: FoundRun[] = [];
  for (const path of paths) found.push(...(await runsAt(path, paths.length > 1)));
  const unique = new Map(found.map(run => [run.path, run]));
  return [...unique.values()];
}

async function runsAt(path: string, amongOthers: boolean): Promise<FoundRun[]> {
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    async cause => {
      if (await isFile(manifestPath(path))) return false;
      if (!path.endsWith('.jsonl') && Object(cause).code === 'ENOENT') return null;
      throw recordsNotReadable(path, cause);
    },
  );
  if (isFolder === null) return [];
  if (!isFolder) return [{ path, name: amongOthers ? path : basename(path) }];
  return (await resultsBelow(path)).map(file => ({
    path: file,
    name: amongOthers ? file : relative(path, file),
  }));
}

async function resultsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(cause => {
    throw recordsNotReadable(folder, cause);
  });
  return entries
    .filter(entry => entry.isFile() && entry.name.endsWith(MANIFEST_ENDING))
    .map(entry => join(entry.parentPath, `${entry.name.slice(0, -MANIFEST_ENDING.length)}.jsonl`))
    .filter(path => !entries.some(entry => !entry.isFile() && join(entry.parentPath, entry.name) === path))
    .sort();
}

const MANIFEST_ENDING = '.manifest.json';

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    found => found.isFile(),
    () => false,
  );
}

/** The folder of files whose names are generated. */
export const generatedFolder = 'results';

/** `--out`, or a generated name in `generatedFolder`. */
export function recordsPath(options: RunOptions, date: Date): string {
  if (options.out !== undefined) return options.out;
  return join(generatedFolder, `${timeIn(date)}-${slug(options.model)}-${slug(options.dataset)}.jsonl`);
}

/** The folder of a sweep without `--out`. */
export function sweepFolder(date: Date): string {
  return join(generatedFolder, `${timeIn(date)}-sweep`);
}

function timeIn(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(':', '-');
}

/** The last part of a path or hub id, usable in a file name. */
function slug(name: string): string {
  return basename(name)
    .replace(/\.(jsonl|jsonl\.gz|parquet)$/, '')
    .replaceAll(/[^\w.-]+/g, '-');
}
