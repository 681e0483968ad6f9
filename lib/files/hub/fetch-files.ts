import { statfs } from 'node:fs/promises';
import { type StartTimer, startTimer, type Wait, wait } from '../../core/async.ts';
import { HefixError } from '../../core/errors.ts';
import { ensureDirectory } from '../ensure-directory.ts';
import { fileSize, type HubCache, hubCache, type RepositoryKind } from './cache-layout.ts';
import { downloadFile } from './download-file.ts';
import { hubCacheNotWritable, hubDiskFull, hubIdInvalid } from './errors.ts';
import type { HubFile } from './hub-listing.ts';
import type { HubRequester } from './hub-request.ts';
import { readHubSettings } from './hub-settings.ts';
import { type TransferProgress, transferProgress } from './transfer-progress.ts';

export interface HubOptions {
  /** A branch, tag or commit; defaults to `main`. */
  readonly revision?: string;
  /** Not called if all files are present. */
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
  /** Waits before retries, in milliseconds. */
  readonly retryWaits?: readonly number[];
  readonly wait?: Wait;
  readonly startTimer?: StartTimer;
  /** A connection without an answer or another byte for this many milliseconds counts as broken. */
  readonly stallMs?: number;
}

/**
 * Runs `action` with connections to the hub for one repository, and closes them. Throws HUB_ID_INVALID,
 * HUB_ENDPOINT_INVALID and the errors of `action`.
 */
export async function withHub<T>(
  kind: RepositoryKind,
  id: string,
  options: HubOptions,
  action: (requester: HubRequester) => Promise<T>,
): Promise<T> {
  const { revision = 'main', signal, env } = options;
  assertRepository(kind, id, revision);
  const settings = await readHubSettings(env);
  const { openConnections } = await import('./connection.ts');
  const connections = openConnections(settings.endpoint);
  const { retryWaits = [500, 2_000, 8_000], stallMs = 30_000 } = options;
  const requester = { settings, kind, connections, id, revision, signal, retryWaits, stallMs };
  try {
    return await action({
      ...requester,
      wait: options.wait ?? wait,
      startTimer: options.startTimer ?? startTimer,
    });
  } finally {
    await connections.destroy();
  }
}

/** Throws HUB_ID_INVALID unless the arguments are an `owner/name` and a valid revision. */
export function assertRepository(kind: RepositoryKind, id: string, revision: string): void {
  const fine = /^[\w.-]{1,96}\/[\w.-]{1,96}$/.test(id) && !/\.\.|--|(^|\/)[.-]/.test(id);
  if (!fine) throw hubIdInvalid(id, kind);
  if (!/^[\w./-]{1,200}$/.test(revision) || /\.\.|^\/|\/$|\/\//.test(revision))
    throw hubIdInvalid(`${id}@${revision}`, kind);
}

/**
 * Downloads files of a commit into the cache shared with Python's tools; files that are present are not
 * downloaded again. Resolves with the snapshot's folder. Throws the HUB_ errors, and the signal's reason if
 * aborted; partial downloads are kept.
 */
export async function fetchFiles(
  requester: HubRequester,
  commit: string,
  files: readonly HubFile[],
  report: (progress: TransferProgress) => void = () => {},
): Promise<string> {
  const { settings, kind, id } = requester;
  const cache = hubCache(settings.cacheFolder, kind, id);
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  try {
    await ensureDirectory(settings.cacheFolder);
    const missing = await assertRoom(cache, settings.cacheFolder, files);
    const progress = missing === 0 ? () => {} : transferProgress(totalBytes, report, () => performance.now());
    let before = 0;
    for (const file of files) {
      await downloadFile(requester, cache, commit, file, bytes => progress(file.path, before + bytes));
      before += file.bytes;
    }
    // Only once all files are present: a snapshot with some of them would look complete.
    for (const { path, hash } of files) await cache.link(commit, path, hash);
    await cache.writeRef(requester.revision, commit);
    return cache.snapshot(commit);
  } catch (error) {
    if (error instanceof HefixError || !(error instanceof Error) || !('syscall' in error)) throw error;
    if ('code' in error && error.code === 'ENOSPC')
      throw hubDiskFull(cache.folder, await missingBytes(cache, files));
    throw hubCacheNotWritable(cache.folder, error);
  }
}

/** Number of bytes left to download. Throws HUB_DISK_FULL if there is not enough disk space. */
async function assertRoom(cache: HubCache, folder: string, files: readonly HubFile[]): Promise<number> {
  const needed = await missingBytes(cache, files);
  const disk = await statfs(folder);
  if (disk.bavail * disk.bsize < needed) throw hubDiskFull(cache.folder, needed);
  return needed;
}

async function missingBytes(cache: HubCache, files: readonly HubFile[]): Promise<number> {
  let missing = 0;
  for (const { hash, bytes } of files) {
    if ((await fileSize(cache.blob(hash))) === bytes) continue;
    missing += bytes - ((await fileSize(`${cache.blob(hash)}.hefix.incomplete`)) ?? 0);
  }
  return Math.max(0, missing);
}
