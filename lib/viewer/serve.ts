import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { HefixError, portUnusable } from '../core/errors.ts';
import { isSameToken } from './is-same-token.ts';
import type { Answer, Download, Routes } from './routes.ts';

/** A local page that is being served. */
export interface Served {
  /** Includes the token. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves answers to this machine only, and only to those who know the URL, which contains 256 random bits.
 * The request's host is checked, so that a page of another site cannot read them even if its name resolves to
 * this machine. @param port 0 for any free port.
 * @throws HefixError (`PORT_UNUSABLE`)
 */
export async function serve(answers: Routes, port: number): Promise<Served> {
  const token = randomBytes(32).toString('base64url');
  const server = createServer((request, response) => {
    respond(request, response, { answers, token, port: portOf(server) }).catch(error => {
      if (!response.headersSent) send(response, failureOf(error));
      else response.destroy();
    });
  });
  await listen(server, port);
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
  readonly token: string;
  readonly port: number;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { answers, token, port }: ServerContext,
): Promise<void> {
  if (![`${LOOPBACK}:${port}`, `localhost:${port}`].includes(request.headers.host ?? '')) {
    return send(response, refusal(403, 'This page answers to its own address alone.'));
  }
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const [, given = '', ...rest] = path.split('/');
  if (!isSameToken(given, token)) {
    return send(response, refusal(403, 'Open the address that hefix view has printed.'));
  }
  if (request.method !== 'GET') return send(response, refusal(405, 'Method not allowed.'));
  const answer = await answers(rest.join('/'), new URLSearchParams(query));
  if (answer !== null && 'path' in answer) await sendFile(response, answer);
  else send(response, answer ?? refusal(404, 'Not found.'));
}

async function sendFile(response: ServerResponse, { path, name }: Download): Promise<void> {
  const file = createReadStream(path);
  file.once('open', () => {
    response.writeHead(200, {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      ...safety,
    });
  });
  await pipeline(file, response);
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
    ...safety,
  });
  response.end(body);
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const safety = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

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
