import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WebSocketServer } from 'ws';
import { HefixError, reason } from '../../core/errors.ts';
import { openRegular } from '../../files/untrusted-file.ts';
import type { Answer, Download, Routes } from './routes.ts';

/** A local page that is being served. */
export interface Served {
  /** Includes the token. */
  readonly address: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** Accepts the web sockets that the page opens at `events`. */
  readonly sockets?: WebSocketServer | undefined;
  /** A new one unless given. */
  readonly token?: string;
  /** Whether a library made the page: it may name its base, style elements inline and start workers. */
  readonly isForeign?: boolean;
}

/** 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Serves answers to this system only, and only to those who know the URL, which contains 256 random bits.
 * The request's host is checked, so that a page of another site cannot read them even if its name resolves to
 * this system.
 * @param port 0 for any free port
 * A page with web sockets is live: it does not keep the process running, and may talk to windows of other sites that
 * it opens.
 * @throws HefixError (`PORT_UNUSABLE`)
 */
export async function serve(
  answers: Routes,
  port: number,
  { sockets, token = newToken(), isForeign = false }: ServeOptions = {},
): Promise<Served> {
  const server = createServer((request, response) => {
    const headers = headersOf(sockets ? `ws://${LOOPBACK}:${portOf(server)}` : null, isForeign);
    const reply = (answer: Answer) => send(response, answer, headers);
    respond(request, response, { answers, server, token, headers, reply }).catch(error => {
      if (!response.headersSent) reply(failureOf(error));
      else response.destroy();
    });
  });
  if (sockets) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (mayListen(request, server, token))
        sockets.handleUpgrade(request, socket, head, client => sockets.emit('connection', client));
      else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
  }
  await listen(server, port);
  if (sockets) server.unref();
  return {
    address: `http://${LOOPBACK}:${portOf(server)}/${token}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const LOOPBACK = '127.0.0.1';

interface ServerContext {
  readonly answers: Routes;
  readonly server: Server;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  reply(answer: Answer): void;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { answers, server, token, headers, reply }: ServerContext,
): Promise<void> {
  if (!isOwnHost(request, server))
    return reply(refusal(403, 'This page is available only at its own address.'));
  const [pathToken, name, query] = partsOf(request);
  if (!isSameToken(pathToken, token)) return reply(refusal(403, 'Open the address that hefix has printed.'));
  if (request.method !== 'GET') return reply(refusal(405, 'Method not allowed.'));
  const answer = await answers(name, new URLSearchParams(query));
  if (answer !== null && 'path' in answer) await sendFile(response, answer, headers);
  else reply(answer ?? refusal(404, 'Not found.'));
}

/** Browsers send the origin of a web socket; other programs, which have the token, do not. */
function mayListen(request: IncomingMessage, server: Server, token: string): boolean {
  const { host, origin } = request.headers;
  const [pathToken, name] = partsOf(request);
  const isOwn = origin === undefined || origin === `http://${host}`;
  return isOwnHost(request, server) && isOwn && name === 'events' && isSameToken(pathToken, token);
}

function isOwnHost({ headers }: IncomingMessage, server: Server): boolean {
  const port = portOf(server);
  return [`${LOOPBACK}:${port}`, `localhost:${port}`].includes(headers.host ?? '');
}

/** `/token/name?query` */
function partsOf({ url = '' }: IncomingMessage): readonly [token: string, name: string, query: string] {
  const [path = '', query = ''] = url.split('?', 2);
  const [, token = '', ...name] = path.split('/');
  return [token, name.join('/'), query];
}

async function sendFile(
  response: ServerResponse,
  { path, name }: Download,
  headers: ServerContext['headers'],
): Promise<void> {
  const file = await openRegular(path);
  response.writeHead(200, {
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    ...headers,
  });
  await pipeline(file.createReadStream(), response);
}

function send(
  response: ServerResponse,
  { status, type, body }: Answer,
  headers: ServerContext['headers'],
): void {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** @param sockets address of the web sockets of a live page; null for other pages */
function headersOf(sockets: string | null, isForeign: boolean): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${isForeign ? " 'unsafe-inline'" : ''}`,
    `connect-src 'self'${sockets === null ? '' : ` ${sockets}`}`,
    "img-src 'self' data:",
    `base-uri ${isForeign ? "'self'" : "'none'"}`,
    ...(isForeign ? ["worker-src 'self'"] : []),
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // With it, a live page could not talk to the inspector that it opens.
    ...(sockets === null && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
    'Cache-Control': 'no-store',
  };
}

function refusal(status: number, body: string): Answer {
  return { status, type: 'text/plain', body };
}

/** A request for unreadable records is answered with the reason; any other error is a bug. */
function failureOf(error: unknown): Answer {
  return error instanceof HefixError ? refusal(422, error.message) : refusal(500, 'hefix itself failed.');
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => reject(portUnusable(port, cause)));
    server.listen(port, LOOPBACK, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Compares in constant time. */
function isSameToken(pathToken: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(pathToken), digest(token));
}

export function portUnusable(port: number, cause: unknown): HefixError {
  const taken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
  return new HefixError(
    'PORT_UNUSABLE',
    `Port ${port} of 127.0.0.1 cannot be used: ${taken ? 'another program uses it' : reason(cause)}.`,
    'Choose another with --port, or leave it out for a free one.',
    cause,
  );
}
