import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { StartTimer, Wait } from '../../core/async.ts';
import type { SamplingParameter } from '../../core/choices.ts';
import type { GenerateRequest } from '../../core/ports.ts';
import { connectionFault } from '../../files/hub/connection.ts';
import type { Dialect } from './chat-request.ts';
import type { Concurrency } from './concurrency.ts';
import {
  backendCutOff,
  backendSilent,
  backendTimeout,
  backendUnreachable,
  RequestFailure,
} from './errors.ts';
import { type ApiKey, type KeyRing, retryAfterMs } from './key-ring.ts';
import type { Server } from './providers.ts';
import { statusIn } from './reply/error-body.ts';
import { readErrorResponse } from './reply/error-response.ts';
import { limitedBody } from './reply/read-body.ts';
import { ErrorInReply, type Reply, type ReplySource, readText } from './reply/read-reply.ts';
import type { OllamaFacts } from './server-facts.ts';

/** State shared by all requests to one server. */
export interface Session {
  readonly server: Server;
  readonly model: string;
  readonly omit: readonly SamplingParameter[];
  readonly maxTries: number;
  /** Seconds. */
  readonly requestTimeout: number;
  readonly idleTimeout: number;
  readonly maxWait: number;
  readonly dispatcher: Dispatcher;
  readonly keys: KeyRing;
  readonly concurrency: Concurrency;
  readonly redact: (text: string) => string;
  /** Reports each message once. */
  readonly warn: (sentence: string) => void;
  /** Reports every wait. */
  readonly tell: (sentence: string) => void;
  /** Receives what only `--debug` shows. */
  readonly trace: (sentence: string) => void;
  /** Receives the use of keys; nothing if there is only one. */
  readonly rotated: (sentence: string) => void;
  readonly now: () => Date;
  readonly wait: Wait;
  readonly startTimer: StartTimer;
  readonly random: () => number;
  /** What is known about the server so far. */
  dialect: Dialect;
  /** Set if Ollama's own API is used. */
  ollama: { readonly facts: OllamaFacts; readonly contextFor: (request: GenerateRequest) => number } | null;
  /** See ErrorResponse. */
  listed: string | null;
  /** The end of the last reported wait for keys, in milliseconds. */
  reportedUntil: number;
}

/** One attempt of a request. */
export interface Try {
  readonly key: ApiKey | null;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Reads a reply with status 200. */
  readonly read: (source: ReplySource) => Promise<Reply>;
  readonly maxBytes: number;
  readonly onText: (piece: string) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends the request once and reads the reply. The client `openai` is not used, because it takes a stream that the server
 * cut off for a complete one, limits neither a reply's size nor its silences, and logs what it cannot parse. Rejects with a RequestFailure, or with the signal's reason if
 * aborted.
 */
export async function send(session: Session, one: Try): Promise<Reply> {
  const { requestTimeout, startTimer } = session;
  const { signal } = one;
  // Complete replies arrive after a silence of any length.
  const idleSeconds = one.body.stream === true ? session.idleTimeout : null;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const stopTimer = startTimer(abort, requestTimeout * 1000);
  const idle = { isOver: false, stopTimer: () => {} };
  const onBytes = () => {
    idle.stopTimer();
    if (idleSeconds === null) return;
    idle.stopTimer = startTimer(() => {
      idle.isOver = true;
      abort();
    }, idleSeconds * 1000);
  };
  onBytes();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await exchange(session, one, onBytes, controller.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof RequestFailure) throw error;
    const address = session.server.baseUrl;
    if (idle.isOver && idleSeconds !== null) throw retry(backendSilent(address, idleSeconds));
    if (controller.signal.aborted) throw retry(backendTimeout(address, requestTimeout));
    throw retry(backendUnreachable(address, connectionFault(error), error));
  } finally {
    stopTimer();
    idle.stopTimer();
    signal?.removeEventListener('abort', abort);
  }
}

async function exchange(
  session: Session,
  one: Try,
  onBytes: () => void,
  signal: AbortSignal,
): Promise<Reply> {
  const { server, model, dispatcher, redact, listed } = session;
  const { key, onText, maxBytes } = one;
  const { statusCode, headers, body } = await request(one.url, {
    method: 'POST',
    dispatcher,
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json, application/x-ndjson',
      'user-agent': 'hefix',
      ...(key ? { authorization: `Bearer ${key.value}` } : {}),
    },
    body: JSON.stringify(one.body),
  });
  // An error of the connection is reported where the body is read.
  body.on('error', () => {});
  const refused = (status: number, said: string) =>
    readErrorResponse({
      server,
      model,
      key,
      status,
      body: redact(said),
      location: redact(text(headers.location)),
      retryAfterMs: retryAfterMs(headers, session.now()),
      listed,
    });
  if (statusCode !== 200) throw refused(statusCode, await readText(body, MAX_WORDS).catch(() => ''));
  const source = {
    body: limitedBody(body, { address: server.baseUrl, maxBytes, onBytes }),
    contentType: text(headers['content-type']),
    address: server.baseUrl,
    redact,
    onText,
  };
  try {
    const reply = await one.read(source);
    release(body);
    return reply;
  } catch (error) {
    body.destroy();
    if (error instanceof ErrorInReply) throw refused(statusIn(error.message) ?? 500, error.message);
    if (error instanceof RequestFailure || signal.aborted) throw error;
    throw retry(backendCutOff(server.baseUrl, error));
  }
}

/** Reads the end of a reply, so that the next request uses its connection. A server that does not end it loses it. */
function release(body: Readable): void {
  if (body.readableEnded || body.destroyed) return;
  const timer = setTimeout(() => body.destroy(), END_MS).unref();
  body.once('close', () => clearTimeout(timer));
  body.resume();
}

const END_MS = 1000;

/** Bytes to read of an error reply: more than a sentence needs. */
const MAX_WORDS = 64 * 1024;

function text(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

function retry(error: RequestFailure['error']): RequestFailure {
  return new RequestFailure(error, { do: 'retry', waitMs: null });
}
