import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import {
  HefixError,
  hubCacheNotWritable,
  hubDiskFull,
  hubIdInvalid,
  hubNoWeights,
  hubOffline,
} from '../../errors.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { openConnections } from '../http/connection.ts';
import type { WeightType } from '../onnx-file.ts';
import { fileSize, type ModelCache, modelCache } from './cache-layout.ts';
import { downloadFile } from './download-file.ts';
import { type HubFile, listHubFiles } from './hub-listing.ts';
import type { HubRequester } from './hub-request.ts';
import { type HubSettings, readHubSettings } from './hub-settings.ts';
import { type Selection, selectFiles } from './select-files.ts';
import { type TransferProgress, transferProgress } from './transfer-progress.ts';

export interface PullOptions {
  /** A branch, a tag or a commit; `main` unless given. */
  readonly revision?: string;
  readonly weightType?: WeightType;
  /** Not called if all is here already. */
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
  /** Waits before tries again, in milliseconds. */
  readonly retryWaits?: readonly number[];
  readonly stallMs?: number;
}

/** A model in the cache, complete; `folder` is in the hub's layout, with the files of `selection`. */
export interface PulledModel {
  readonly id: string;
  readonly commit: string;
  readonly folder: string;
  readonly selection: Selection;
}

/**
 * Fetches the files of a model that are needed into the cache that Python's tools share; what is there is
 * not fetched again. With HF_HUB_OFFLINE the cache alone is asked. Throws the HUB_ errors, and the
 * signal's reason if aborted; what was fetched until then is kept.
 */
export async function pullModel(id: string, options: PullOptions = {}): Promise<PulledModel> {
  const { revision = 'main', weightType = 'auto', signal } = options;
  const settings = await readHubSettings(options.env);
  assertId(id, revision);
  const cached = await findCachedModel(id, options);
  if (settings.offline) {
    if (cached === null) throw hubOffline(id);
    return cached;
  }
  const connections = openConnections(settings.endpoint);
  const requester: HubRequester = {
    settings,
    connections,
    id,
    revision,
    signal,
    retryWaits: options.retryWaits ?? [500, 2_000, 8_000],
    stallMs: options.stallMs ?? 30_000,
  };
  try {
    return await pullFrom(requester, weightType, options.onProgress ?? (() => {}));
  } finally {
    await connections.destroy();
  }
}

async function pullFrom(
  requester: HubRequester,
  weightType: WeightType,
  report: (progress: TransferProgress) => void,
): Promise<PulledModel> {
  const { id, settings } = requester;
  const listing = await listHubFiles(requester);
  const selection = selectFiles(
    listing.files.map(({ path }) => path),
    weightType,
  );
  if (selection === null) throw hubNoWeights(id, weightType);
  const files = listing.files.filter(({ path }) => selection.files.includes(path));
  const cache = modelCache(settings.cacheFolder, id);
  await fetchAll(requester, cache, listing.commit, files, report);
  return { id, commit: listing.commit, folder: cache.snapshot(listing.commit), selection };
}

/**
 * The model as it is in the cache, without asking the hub; null if it is not there or not complete.
 * Throws HUB_ID_INVALID.
 */
export async function findCachedModel(
  id: string,
  { revision = 'main', weightType = 'auto', env }: PullOptions = {},
): Promise<PulledModel | null> {
  assertId(id, revision);
  const settings = await readHubSettings(env);
  const cache = modelCache(settings.cacheFolder, id);
  const commit = await cache.readRef(revision);
  if (commit === null) return null;
  const folder = cache.snapshot(commit);
  const selection = await selectInFolder(folder, weightType);
  return selection && { id, commit, folder, selection };
}

/** What selectFiles chooses in a local folder; null if nothing, or if a file in a row of files is missing. */
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

function assertId(id: string, revision: string): void {
  const fine = /^[\w.-]{1,96}\/[\w.-]{1,96}$/.test(id) && !/\.\.|--|(^|\/)[.-]/.test(id);
  if (!fine) throw hubIdInvalid(id);
  if (!/^[\w./-]{1,200}$/.test(revision) || /\.\.|^\/|\/$|\/\//.test(revision))
    throw hubIdInvalid(`${id}@${revision}`);
}

async function fetchAll(
  requester: HubRequester,
  cache: ModelCache,
  commit: string,
  files: readonly HubFile[],
  report: (progress: TransferProgress) => void,
): Promise<void> {
  const { settings } = requester;
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  try {
    const missing = await assertRoom(cache, settings, files);
    const progress = missing === 0 ? () => {} : transferProgress(totalBytes, report, () => performance.now());
    let before = 0;
    for (const file of files) {
      await downloadFile(requester, cache, commit, file, bytes => progress(file.path, before + bytes));
      await cache.link(commit, file.path, file.hash);
      before += file.bytes;
    }
    await cache.writeRef(requester.revision, commit);
  } catch (error) {
    if (error instanceof HefixError || !(error instanceof Error) || !('syscall' in error)) throw error;
    if ('code' in error && error.code === 'ENOSPC')
      throw hubDiskFull(cache.folder, await missingBytes(cache, files));
    throw hubCacheNotWritable(cache.folder, error);
  }
}

/** Bytes that are yet to be fetched. */
async function assertRoom(
  cache: ModelCache,
  settings: HubSettings,
  files: readonly HubFile[],
): Promise<number> {
  await ensureDirectory(settings.cacheFolder);
  const needed = await missingBytes(cache, files);
  const disk = await statfs(settings.cacheFolder);
  if (disk.bavail * disk.bsize < needed) throw hubDiskFull(cache.folder, needed);
  return needed;
}

/** What is yet to be fetched. */
async function missingBytes(cache: ModelCache, files: readonly HubFile[]): Promise<number> {
  let missing = 0;
  for (const { hash, bytes } of files) {
    if ((await fileSize(cache.blob(hash))) === bytes) continue;
    missing += bytes - ((await fileSize(`${cache.blob(hash)}.hefix.incomplete`)) ?? 0);
  }
  return Math.max(0, missing);
}
