import type { Response } from 'undici';
import { z } from 'zod';
import { hubFailed, hubUnreachable } from './errors.ts';
import { beforeStall, type HubRequester, hubRequest, rootCause } from './hub-request.ts';

export interface HubFile {
  /** With slashes: `onnx/model.onnx`. */
  readonly path: string;
  readonly bytes: number;
  /** Hash of the contents: sha256 for large files, git's sha1 for others. It names the blob in the cache. */
  readonly hash: string;
}

export interface HubListing {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

/**
 * Resolves a revision to its commit and files. Throws the HUB_ errors. Source:
 * https://huggingface.co/docs/hub/api
 */
export async function listHubFiles(requester: HubRequester): Promise<HubListing> {
  const { settings, kind, id, revision } = requester;
  const api = `${settings.endpoint}/api/${kind}s/${id}`;
  const { body } = await askJson(requester, `${api}/revision/${encodeURIComponent(revision)}?expand=sha`);
  const commit = commitSchema.safeParse(body).data?.sha;
  if (commit === undefined) throw strangeReply(requester);
  const files: HubFile[] = [];
  let page: string | null = `${api}/tree/${commit}?recursive=true`;
  for (let pages = 0; page !== null; pages++) {
    if (pages === MAX_PAGES) throw hubFailed(settings.endpoint, `lists files of ${id} without end`);
    const reply: Reply = await askJson(requester, page);
    const entries = z.array(z.unknown()).safeParse(reply.body).data;
    if (entries === undefined) throw strangeReply(requester);
    // Skips folders, and files whose names could lead out of the cache.
    files.push(...entries.flatMap(entry => fileSchema.safeParse(entry).data ?? []).map(hubFile));
    page = reply.next;
  }
  return { commit, files };
}

/** A page of the listing has up to 1,000 files. */
const MAX_PAGES = 50;

interface Reply {
  readonly body: unknown;
  /** URL of the next page; null after the last. */
  readonly next: string | null;
}

async function askJson(requester: HubRequester, url: string): Promise<Reply> {
  const response = await hubRequest(requester, url);
  const text = await textOf(requester, response);
  if (text === null) throw strangeReply(requester);
  try {
    return { body: JSON.parse(text), next: nextPage(url, response.headers.get('link')) };
  } catch {
    throw strangeReply(requester);
  }
}

/** Null if it is longer than a page of a listing. */
async function textOf(requester: HubRequester, { body }: Response): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  const reader = body?.getReader();
  try {
    for (let bytes = 0; bytes <= MAX_PAGE_BYTES; ) {
      const piece = await (reader && beforeStall(reader.read(), requester));
      if (piece === undefined || piece.done) return Buffer.concat(pieces).toString('utf8');
      pieces.push(piece.value);
      bytes += piece.value.length;
    }
    return null;
  } catch (cause) {
    requester.signal?.throwIfAborted();
    throw hubUnreachable(requester.settings.endpoint, rootCause(cause));
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

const MAX_PAGE_BYTES = 2 ** 24;

/** `Link: <https://…?cursor=…>; rel="next"`, relative to the page's URL. */
function nextPage(url: string, link: string | null): string | null {
  const target = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  return target === undefined ? null : new URL(target, url).href;
}

function strangeReply({ settings, id }: HubRequester) {
  return hubFailed(settings.endpoint, `does not answer as the hub does when asked for ${id}`);
}

const commitSchema = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });

const fileSchema = z.object({
  type: z.literal('file'),
  path: z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[^/\\:][^\\:]*$/),
  size: z.number().int().nonnegative(),
  oid: z.string().regex(/^[0-9a-f]{40}$/),
  lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().nonnegative() }).nullish(),
});

function hubFile({ path, size, oid, lfs }: z.infer<typeof fileSchema>): HubFile {
  return { path, bytes: lfs?.size ?? size, hash: lfs?.oid ?? oid };
}
