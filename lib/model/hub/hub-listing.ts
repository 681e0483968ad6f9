import { listFiles, modelInfo } from '@huggingface/hub';
import { z } from 'zod';
import { HefixError, hubFailed, hubUnreachable } from '../../errors.ts';
import { type HubRequester, hubRequest, rootCause, withinTime } from './hub-request.ts';

export interface HubFile {
  /** With slashes: `onnx/model.onnx`. */
  readonly path: string;
  readonly bytes: number;
  /** What the content hashes to: sha256 of large files, git's sha1 of the others. Names the file in the cache. */
  readonly hash: string;
}

export interface HubListing {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

/** Which commit a revision is, and the files in it. Throws the HUB_ errors. */
export async function listHubFiles(requester: HubRequester): Promise<HubListing> {
  const { settings, id, revision, stallMs } = requester;
  let requests = 0;
  const request = async (url: string | URL | Request): Promise<Response> => {
    if (++requests > MOST_REQUESTS) throw hubFailed(settings.endpoint, `lists files of ${id} without end`);
    const response = await hubRequest(requester, url instanceof Request ? url.url : String(url));
    const body = await withinTime(response.arrayBuffer(), stallMs).catch(cause => {
      throw hubUnreachable(settings.endpoint, rootCause(cause));
    });
    return new Response(body, { status: response.status, headers: Object.fromEntries(response.headers) });
  };
  const common = { hubUrl: settings.endpoint, fetch: request };
  try {
    const info = await modelInfo({ ...common, name: id, revision, additionalFields: ['sha'] });
    const commit = commitSchema.parse(info.sha);
    const files: HubFile[] = [];
    const repo = { type: 'model', name: id } as const;
    for await (const entry of listFiles({ ...common, repo, revision: commit, recursive: true })) {
      const file = fileSchema.safeParse(entry);
      // Folders, and files whose names could lead out of the cache, are not of interest.
      if (file.success) files.push(hubFile(file.data));
    }
    return { commit, files };
  } catch (error) {
    if (error instanceof HefixError) throw error;
    requester.signal?.throwIfAborted();
    throw hubFailed(settings.endpoint, `does not answer as the hub does when asked for ${id}`);
  }
}

/** A page of the listing has up to 1,000 files. */
const MOST_REQUESTS = 50;

const commitSchema = z.string().regex(/^[0-9a-f]{40}$/);

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
