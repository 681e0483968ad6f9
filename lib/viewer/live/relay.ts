import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { portUnusable } from '../../core/errors.ts';
import { isSameToken } from '../is-same-token.ts';

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly body: string;
}

export interface Relay {
  /** The page's URL, including the token. */
  readonly address: string;
  /** Sends a message to all listeners, and later to new ones. */
  send(message: string): void;
  close(): Promise<void>;
}

/**
 * Serves a page and a stream of messages (a web socket at `events` in the same folder) to this machine only,
 * and only to those who know the URL, which contains 256 random bits. The request's host and the web socket's
 * origin are checked, so that no page of another site can read it. Rejects with a HefixError
 * (`PORT_UNUSABLE`).
 */
export async function startRelay(files: ReadonlyMap<string, PageFile>): Promise<Relay> {
  const token = randomBytes(32).toString('base64url');
  const kept: string[] = [];
  let keptLength = 0;
  const server = createServer((request, response) => respond(request, response, server, token, files));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!mayListen(request, server, token)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, client => {
      client.on('error', () => client.terminate());
      for (const message of kept) client.send(message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => reject(portUnusable(0, cause)));
    server.listen(0, LOOPBACK, resolve);
  });
  // An open page does not keep the run from ending.
  server.unref();
  return {
    address: `http://${hostOf(server)}/${token}/`,
    send(message) {
      kept.push(message);
      keptLength += message.length;
      while (keptLength > MAX_KEPT) keptLength -= kept.shift()?.length ?? 0;
      for (const client of sockets.clients) {
        if (client.readyState !== WebSocket.OPEN) continue;
        if (client.bufferedAmount > MAX_BEHIND) client.terminate();
        else client.send(message);
      }
    },
    async close() {
      await Promise.all([...sockets.clients].map(endWell));
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

const LOOPBACK = '127.0.0.1';

/** Maximum characters of messages kept for new listeners; the oldest are dropped first. */
const MAX_KEPT = 32 * 2 ** 20;

/** Maximum bytes that a listener may lag behind. */
const MAX_BEHIND = 64 * 2 ** 20;

/** Sends what is pending, without waiting for pages that do not answer. */
async function endWell(client: WebSocket): Promise<void> {
  await new Promise<void>(resolve => {
    client.once('close', () => resolve());
    client.close(1001, 'the run is over');
    setTimeout(() => client.terminate(), 1000).unref();
  });
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  server: Server,
  token: string,
  files: ReadonlyMap<string, PageFile>,
): void {
  const [given, name] = partsOf(request);
  const file = files.get(name);
  if (request.headers.host !== hostOf(server) || !isSameToken(given, token))
    refuse(response, 403, 'Forbidden.');
  else if (request.method !== 'GET') refuse(response, 405, 'Method not allowed.');
  else if (file === undefined) refuse(response, 404, 'Not found.');
  else {
    response.writeHead(200, {
      'Content-Type': `${file.type}; charset=utf-8`,
      // The page may connect only to its own relay.
      'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ws://${hostOf(server)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ...safety,
    });
    response.end(file.body);
  }
}

const safety = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...safety });
  response.end(sentence);
}

/** Browsers send the origin of a web socket; other programs, which have the token, do not. */
function mayListen(request: IncomingMessage, server: Server, token: string): boolean {
  const { host, origin } = request.headers;
  const [given, name] = partsOf(request);
  const isOwn = origin === undefined || origin === `http://${hostOf(server)}`;
  return host === hostOf(server) && isOwn && name === 'events' && isSameToken(given, token);
}

/** `/token/name` */
function partsOf({ url = '' }: IncomingMessage): readonly [string, string] {
  const [, token = '', ...name] = (url.split('?', 1)[0] ?? '').split('/');
  return [token, name.join('/')];
}

function hostOf(server: Server): string {
  const address = server.address();
  return `${LOOPBACK}:${typeof address === 'object' && address !== null ? address.port : 0}`;
}
