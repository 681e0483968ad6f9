import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileSize, hubCache } from '../../hub/cache-layout.ts';
import { hubOffline } from '../../hub/errors.ts';
import { assertRepository, fetchFiles, type HubOptions, withHub } from '../../hub/fetch-files.ts';
import { listHubFiles } from '../../hub/hub-listing.ts';
import { readHubSettings } from '../../hub/hub-settings.ts';
import type { WeightType } from '../onnx/session.ts';
import { hubNoWeights } from './errors.ts';
import { type Selection, selectFiles } from './select-files.ts';

export interface PullOptions extends HubOptions {
  readonly weightType?: WeightType;
}

/** A complete model in the cache; `folder` has the hub's layout and contains the files of `selection`. */
export interface PulledModel {
  readonly id: string;
  readonly commit: string;
  readonly folder: string;
  readonly selection: Selection;
}

/**
 * Downloads the required files of a model into the cache that is shared with Python's tools; files that are
 * present are not downloaded again. With HF_HUB_OFFLINE only the cache is used. Throws the HUB_ errors, and
 * the signal's reason if aborted; partial downloads are kept.
 */
export async function pullModel(id: string, options: PullOptions = {}): Promise<PulledModel> {
  const { weightType = 'auto' } = options;
  const cached = await findCachedModel(id, options);
  if ((await readHubSettings(options.env)).offline) {
    if (cached === null) throw hubOffline(id, 'model');
    return cached;
  }
  return await withHub('model', id, options, async requester => {
    const { commit, files } = await listHubFiles(requester);
    const selection = selectFiles(
      files.map(({ path }) => path),
      weightType,
    );
    if (selection === null) throw hubNoWeights(id, weightType);
    const wanted = files.filter(({ path }) => selection.files.includes(path));
    const folder = await fetchFiles(requester, commit, wanted, options.onProgress);
    return { id, commit, folder, selection };
  });
}

/**
 * The model from the cache, without contacting the hub; null if it is missing or incomplete. Throws
 * HUB_ID_INVALID.
 */
export async function findCachedModel(
  id: string,
  { revision = 'main', weightType = 'auto', env }: PullOptions = {},
): Promise<PulledModel | null> {
  assertRepository('model', id, revision);
  const settings = await readHubSettings(env);
  const cache = hubCache(settings.cacheFolder, 'model', id);
  const commit = await cache.readRef(revision);
  if (commit === null) return null;
  const folder = cache.snapshot(commit);
  const selection = await selectInFolder(folder, weightType);
  return selection && { id, commit, folder, selection };
}

/**
 * The selection of selectFiles for a local folder; null if there is none, or if one of several numbered files
 * is missing.
 */
export async function selectInFolder(folder: string, weightType: WeightType): Promise<Selection | null> {
  const names = [
    ...(await filesIn(folder)),
    ...(await filesIn(join(folder, 'onnx'))).map(name => `onnx/${name}`),
  ];
  const sizes = await Promise.all(names.map(name => fileSize(join(folder, name))));
  const selection = selectFiles(
    names.filter((_, index) => sizes[index] !== null),
    weightType,
  );
  const shard = selection?.files.find(path => SHARD.test(path));
  if (selection === null || shard === undefined) return selection;
  const expected = Number(SHARD.exec(shard)?.[1]);
  return selection.files.filter(path => SHARD.test(path)).length === expected ? selection : null;
}

const SHARD = /-of-(\d+)\.safetensors$/;

async function filesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
