import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { HefixError } from '../../lib/core/errors.ts';
import type { Language } from '../../lib/core/task.ts';
import { fileSize, hubCache } from '../../lib/files/hub/cache-layout.ts';
import { hubOffline } from '../../lib/files/hub/errors.ts';
import { assertRepository, fetchFiles, type HubOptions, withHub } from '../../lib/files/hub/fetch-files.ts';
import { type HubListing, listHubFiles } from '../../lib/files/hub/hub-listing.ts';
import type { HubRequester } from '../../lib/files/hub/hub-request.ts';
import { readHubSettings } from '../../lib/files/hub/hub-settings.ts';
import { datasetAmbiguous, datasetLanguageMissing, datasetNoFiles, datasetTooLarge } from '../errors.ts';
import { type DataSelection, isWhole, selectDataFiles } from './select-data-files.ts';

export interface HubDatasetOptions extends HubOptions {
  readonly language?: Language | undefined;
  /** Larger downloads are refused before they start. */
  readonly maxBytes: number;
}

/** The files of a dataset in the cache. */
export interface HubDataset {
  readonly commit: string;
  /** The one that the repository names or, if it names none, the one requested. */
  readonly language: Language | undefined;
  readonly files: readonly HubDataFile[];
}

export interface HubDataFile {
  /** Path on this system. */
  readonly path: string;
  /** Display name: `bigcode/humanevalpack/data/js/data/humanevalpack.jsonl`. */
  readonly label: string;
}

/**
 * The original files on the branch `main`, and the hub's own conversion to Parquet with a folder per
 * configuration.
 */
const BRANCHES = ['main', 'refs/convert/parquet'] as const;

/**
 * A dataset on the hub, downloaded into the cache shared with Python's tools unless it is there. Without a
 * revision, files on `main` are preferred to the hub's Parquet conversion. With HF_HUB_OFFLINE only the cache
 * is used. Throws the HUB_ errors, DATASET_NO_FILES, DATASET_LANGUAGE, DATASET_AMBIGUOUS and DATASET_TOO_LARGE.
 */
export async function hubDataset(id: string, options: HubDatasetOptions): Promise<HubDataset> {
  const { language, revision } = options;
  const branches = revision === undefined ? BRANCHES : [revision];
  for (const branch of branches) {
    const cached = await findCached(id, branch, options);
    if (cached !== null) return cached;
  }
  if ((await readHubSettings(options.env)).offline)
    throw hubOffline(language === undefined ? id : `${id} (${language})`, 'dataset');

  const named = branches.join(' or ');
  const problems: HefixError[] = [];
  for (const branch of branches) {
    const result = await withHub('dataset', id, { ...options, revision: branch }, requester =>
      fetchFrom(requester, options, named),
    ).catch(error => {
      const isSecond = problems.length > 0;
      if (isSecond && error instanceof HefixError && error.code === 'HUB_NOT_FOUND') return error;
      throw error;
    });
    if (!(result instanceof HefixError)) return result;
    problems.push(result);
  }
  throw problems[0] ?? datasetNoFiles(id, named);
}

/** Missing files are returned rather than thrown: another branch may have them. */
async function fetchFrom(
  requester: HubRequester,
  { language, maxBytes, onProgress }: HubDatasetOptions,
  branches: string,
): Promise<HubDataset | HefixError> {
  const { id } = requester;
  const { commit, files }: HubListing = await listHubFiles(requester);
  const selection = selectDataFiles(
    files.map(({ path }) => path),
    language,
  );
  if (selection.kind !== 'found') return problemOf(id, selection, language, branches);
  const wanted = files.filter(({ path }) => selection.paths.includes(path));
  const bytes = wanted.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > maxBytes) throw datasetTooLarge(id, `${bytes} bytes`, `${maxBytes}`);
  const folder = await fetchFiles(requester, commit, wanted, onProgress);
  return located(id, commit, folder, selection);
}

/** Null if it is not, or not completely, in the cache. */
async function findCached(
  id: string,
  revision: string,
  { language, env }: HubDatasetOptions,
): Promise<HubDataset | null> {
  assertRepository('dataset', id, revision);
  const cache = hubCache((await readHubSettings(env)).cacheFolder, 'dataset', id);
  const commit = await cache.readRef(revision);
  if (commit === null) return null;
  const folder = cache.snapshot(commit);
  const selection = selectDataFiles(await filesBelow(folder), language);
  if (selection.kind !== 'found' || !isWhole(selection.paths)) return null;
  return located(id, commit, folder, selection);
}

async function filesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(names.map(name => fileSize(join(folder, name))));
  return names
    .filter((_, index) => sizes[index] !== null)
    .map(name => relative(folder, join(folder, name)).split(sep).join('/'));
}

function located(
  id: string,
  commit: string,
  folder: string,
  { paths, language }: DataSelection & { kind: 'found' },
): HubDataset {
  const files = paths.map(path => ({ path: join(folder, ...path.split('/')), label: `${id}/${path}` }));
  return { commit, language, files };
}

function problemOf(
  id: string,
  selection: Exclude<DataSelection, { kind: 'found' }>,
  wanted: Language | undefined,
  branches: string,
): HefixError {
  if (selection.kind === 'no-files') return datasetNoFiles(id, branches);
  if (selection.kind === 'ambiguous') return datasetAmbiguous(id, selection.choices);
  return datasetLanguageMissing(id, wanted ?? 'python', selection.languages);
}
