import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Response } from 'undici';
import { ensureDirectory } from '../ensure-directory.ts';
import { withLock } from '../lock.ts';
import { openRegular } from '../untrusted-file.ts';
import { fileSize, type HubCache } from './cache-layout.ts';
import { hubFileCorrupt, hubUnreachable } from './errors.ts';
import type { HubFile } from './hub-listing.ts';
import { beforeStall, type HubRequester, hubRequest, repositoryPage, rootCause } from './hub-request.ts';

/**
 * Downloads one file into the cache's blobs unless it is there. Partial downloads are continued; the file
 * gets its final name once size and hash are correct. Two processes that download the same file write the
 * same bytes. `@huggingface/hub` is not used, because it starts partial downloads again, checks neither size nor hash,
 * and takes no lock. `onBytes` receives the number of bytes present. Throws HUB_FILE_CORRUPT and the HUB_ errors of
 * requests.
 */
export async function downloadFile(
  requester: HubRequester,
  cache: HubCache,
  commit: string,
  file: HubFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { id, signal } = requester;
  const blob = cache.blob(file.hash);
  await ensureDirectory(dirname(blob));
  await withLock(cache.lock(file.hash), signal, async () => {
    // Python's tools append to a file with another name; it is left alone.
    const partial = `${blob}.hefix.incomplete`;
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    const url = `${repositoryPage(requester)}/resolve/${commit}/${path}`;
    for (let attempt = 1; (await fileSize(blob)) !== file.bytes; attempt++) {
      await fetchMissing(requester, url, partial, file.bytes, onBytes);
      if ((await contentHash(partial, file)) === file.hash) {
        await rename(partial, blob).catch(async error => {
          if ((await fileSize(blob)) !== file.bytes) throw error;
        });
      } else {
        await rm(partial, { force: true });
        if (attempt === TRIES) throw hubFileCorrupt(id, file.path);
      }
    }
    onBytes(file.bytes);
  });
}

/** If the hash of a continued file is wrong, the part from the earlier download may be the cause. */
const TRIES = 2;

/**
 * Requests the missing part until the file is complete; gives up when several attempts in a row bring no
 * byte.
 */
async function fetchMissing(
  requester: HubRequester,
  url: string,
  partial: string,
  bytes: number,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const file = await openPartial(partial);
  try {
    let done = (await file.stat()).size;
    if (done > bytes) done = 0;
    for (let fruitless = 0; done < bytes; ) {
      const before = done;
      const response = await hubRequest(requester, url, done > 0 ? { range: `bytes=${done}-` } : {});
      if (!continues(response, done)) done = 0;
      try {
        done = await receive(requester, response, file, done, bytes, onBytes);
      } catch (error) {
        requester.signal?.throwIfAborted();
        if (!(error instanceof BrokenConnection)) throw error;
        done = error.done;
        fruitless = done > before ? 0 : fruitless + 1;
        if (fruitless > requester.retryWaits.length) {
          throw hubUnreachable(requester.settings.endpoint, rootCause(error.cause));
        }
      }
    }
    await file.truncate(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function openPartial(path: string): Promise<FileHandle> {
  return await open(path, 'r+').catch(() => open(path, 'w+'));
}

/** A server may answer a range request with the whole file, or with 416 if nothing is missing. */
function continues(response: Response, done: number): boolean {
  const range = response.headers.get('content-range') ?? '';
  return response.status === 206 && range.startsWith(`bytes ${done}-`);
}

/** The connection ended early, after `done` bytes of the file. */
class BrokenConnection extends Error {
  readonly done: number;

  constructor(done: number, cause: unknown) {
    super('the connection broke', { cause });
    this.done = done;
  }
}

async function receive(
  requester: HubRequester,
  response: Response,
  file: FileHandle,
  start: number,
  bytes: number,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const reader = response.body?.getReader();
  let done = start;
  try {
    while (reader !== undefined && response.ok && done < bytes) {
      const { value, done: ended } = await beforeStall(reader.read(), requester).catch(cause => {
        throw new BrokenConnection(done, cause);
      });
      if (ended) break;
      const wanted = value.subarray(0, bytes - done);
      await file.write(wanted, 0, wanted.byteLength, done);
      done += wanted.byteLength;
      onBytes(done);
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
  if (done < bytes) throw new BrokenConnection(done, new Error('the connection ended early'));
  return done;
}

/** The hub's hashes: sha256 for large files; for others git's sha1 over a header and the contents. */
async function contentHash(path: string, { hash, bytes }: HubFile): Promise<string> {
  const hasher = createHash(hash.length === SHA256_DIGITS ? 'sha256' : 'sha1');
  if (hash.length !== SHA256_DIGITS) hasher.update(`blob ${bytes}\0`);
  for await (const chunk of (await openRegular(path)).createReadStream({ highWaterMark: 2 ** 20 }))
    hasher.update(chunk);
  return hasher.digest('hex');
}

const SHA256_DIGITS = 64;
