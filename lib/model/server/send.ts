import { type Dispatcher, request } from 'undici';
import { backendCutOff, backendTimeout, backendUnreachable } from '../../core/errors.ts';
import type { ApiKey } from './api-keys.ts';
import { retryAfterMs } from './backoff.ts';
import { connectionFault } from './connection.ts';
import { statusIn } from './error-body.ts';
import { readErrorResponse } from './error-response.ts';
import type { Server } from './providers.ts';
import { ErrorInReply, type Reply, readReply, readText } from './read-reply.ts';
import { RequestFailure } from './request-failure.ts';

/** One try of a request. */
export interface Try {
  readonly server: Server;
  readonly model: string;
  readonly key: ApiKey | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly dispatcher: Dispatcher;
  /** From the first byte sent to the last one read. */
  readonly timeoutSeconds: number;
  readonly redact: (text: string) => string;
  readonly onText: (piece: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly now: () => Date;
}

/** Sends it once and reads the reply. Rejects with a RequestFailure, or with the signal's reason if aborted. */
export async function send(one: Try): Promise<Reply> {
  const { signal, timeoutSeconds } = one;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutSeconds * 1000);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await exchange(one, controller.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof RequestFailure) throw error;
    const address = one.server.baseUrl;
    if (controller.signal.aborted) throw retry(backendTimeout(address, timeoutSeconds));
    throw retry(backendUnreachable(address, connectionFault(error), error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function exchange(one: Try, signal: AbortSignal): Promise<Reply> {
  const { server, key, dispatcher, redact, onText } = one;
  const { statusCode, headers, body } = await request(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    dispatcher,
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'hefix',
      ...(key ? { authorization: `Bearer ${key.value}` } : {}),
    },
    body: JSON.stringify(one.body),
  });
  const refused = (status: number, said: string) =>
    readErrorResponse({
      server,
      model: one.model,
      key,
      status,
      body: redact(said),
      location: redact(text(headers.location)),
      retryAfterMs: retryAfterMs(headers, one.now()),
    });
  if (statusCode !== 200) throw refused(statusCode, await readText(body, MOST_WORDS).catch(() => ''));
  const source = {
    body,
    contentType: text(headers['content-type']),
    address: server.baseUrl,
    redact,
    onText,
  };
  try {
    return await readReply(source);
  } catch (error) {
    if (error instanceof ErrorInReply) throw refused(statusIn(error.message) ?? 500, error.message);
    if (error instanceof RequestFailure || signal.aborted) throw error;
    throw retry(backendCutOff(server.baseUrl, error));
  } finally {
    // What is left of a reply that was not read to its end.
    body.destroy();
  }
}

/** Bytes of a errorResponse that are read: more than a sentence needs. */
const MOST_WORDS = 64 * 1024;

function text(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

function retry(error: RequestFailure['error']): RequestFailure {
  return new RequestFailure(error, { do: 'retry', waitMs: null });
}
