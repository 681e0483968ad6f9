import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Handles a request before the server's proper answer; true if it has answered. */
type Disturbance = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface FakeHub {
  readonly endpoint: string;
  /** All requests so far. */
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  disturb: Disturbance;
  /** Contents of downloads that differ from the listing. */
  readonly sent: Map<string, Buffer>;
  /** Sizes in the listing that differ from the contents. */
  readonly listedSizes: Map<string, number>;
  /** Bytes of a download after which the connection is cut, one per download from now on. */
  readonly cuts: number[];
  /** Awaited before a connection is cut, until so many bytes of the file have arrived. */
  received: (bytes: number) => Promise<void>;
  /** Whether ranges are supported. */
  ranges: boolean;
  /** The commit of `main`. */
  readonly commit: string;
}

/** Files of at least this size are «large»: identified by their sha256, and served by redirect. */
const LARGE = 1000;

export interface FakeRepository {
  readonly kind?: 'model' | 'dataset';
  /** Files of other branches than `main`. */
  readonly branches?: Readonly<Record<string, Files>>;
}

type Files = Readonly<Record<string, Buffer>>;

/** A server on 127.0.0.1 that imitates the hub for one repository, as far as downloads need. */
export async function fakeHub(
  id: string,
  files: Files,
  { kind = 'model', branches = {} }: FakeRepository = {},
): Promise<FakeHub> {
  const commit = 'c0ffee00'.repeat(5);
  const revisions = new Map(Object.entries({ main: { commit, files } }));
  for (const [name, content] of Object.entries(branches))
    revisions.set(name, { commit: commitOf(name), files: content });
  const server = createServer((request, response) => {
    hub.requests.push({ url: request.url ?? '', headers: request.headers });
    if (!hub.disturb(request, response)) answer(request, response);
  });

  const answer = (request: IncomingMessage, response: ServerResponse): true => {
    const url = new URL(request.url ?? '', 'http://hub');
    const path = decodeURIComponent(url.pathname);
    const page = `/${kind === 'dataset' ? 'datasets/' : ''}${id}`;
    for (const [name, revision] of revisions) {
      const api = `/api/${kind}s/${id}`;
      if (path === `${api}/revision/${name}` || path === `${api}/revision/${revision.commit}`) {
        return json(response, { _id: '1', id, sha: revision.commit, likes: 0, downloads: 0 });
      }
      if (path === `${api}/tree/${revision.commit}`) return list(url, response, revision.files);
      const resolve = `${page}/resolve/${revision.commit}/`;
      const isCdn = path.startsWith('/cdn/');
      const file = isCdn ? path.slice(5) : path.startsWith(resolve) ? path.slice(resolve.length) : '';
      const content = revision.files[file];
      if (content === undefined) continue;
      const etag = contentHash(content);
      const headers = { 'X-Repo-Commit': revision.commit, ETag: `"${etag}"`, 'X-Linked-Etag': `"${etag}"` };
      if (content.length >= LARGE && !isCdn) {
        return end(response, 302, { ...headers, Location: `/cdn/${file}` });
      }
      return send(request, response, hub.sent.get(file) ?? content, headers);
    }
    return end(response, 404);
  };

  /** Two entries per page. */
  const list = (url: URL, response: ServerResponse, listed: Files): true => {
    const entries = [
      { type: 'directory', oid: '0'.repeat(40), size: 0, path: 'onnx' },
      ...Object.entries(listed).map(([path, content]) => {
        const size = hub.listedSizes.get(path) ?? content.length;
        const large = content.length >= LARGE;
        const lfs = { lfs: { oid: contentHash(content), size, pointerSize: 130 } };
        return { type: 'file', path, size, oid: gitHash(content), ...(large && lfs) };
      }),
    ];
    const start = Number(url.searchParams.get('cursor') ?? 0);
    if (start + 2 < entries.length) {
      url.searchParams.set('cursor', String(start + 2));
      response.setHeader('Link', `<${hub.endpoint}${url.pathname}${url.search}>; rel="next"`);
    }
    return json(response, entries.slice(start, start + 2));
  };

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    content: Buffer,
    headers: Record<string, string>,
  ): true => {
    const start = Number(/^bytes=(\d+)-$/.exec(hub.ranges ? (request.headers.range ?? '') : '')?.[1] ?? 0);
    if (start > 0 && start >= content.length) return end(response, 416);
    const rest = content.subarray(start);
    const range = { 'Content-Range': `bytes ${start}-${content.length - 1}/${content.length}` };
    response.writeHead(start > 0 ? 206 : 200, {
      ...headers,
      'Content-Length': rest.length,
      ...(start > 0 && range),
    });
    const cut = hub.cuts.shift();
    if (cut === undefined || cut >= rest.length) response.end(rest);
    else
      response.write(
        rest.subarray(0, cut),
        () => void hub.received(start + cut).then(() => response.destroy()),
      );
    return true;
  };

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const hub: FakeHub = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    disturb: () => false,
    sent: new Map(),
    listedSizes: new Map(),
    cuts: [],
    received: async () => {},
    ranges: true,
    commit,
  };
  return hub;
}

/** Forty digits that depend on the branch. */
export function commitOf(branch: string): string {
  return createHash('sha1').update(branch).digest('hex');
}

/** The hash that identifies contents in the cache. */
export function contentHash(content: Buffer): string {
  return content.length >= LARGE ? createHash('sha256').update(content).digest('hex') : gitHash(content);
}

function gitHash(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function json(response: ServerResponse, value: unknown): true {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(value));
  return true;
}

export function end(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  body = '',
): true {
  response.writeHead(status, headers);
  response.end(body);
  return true;
}
