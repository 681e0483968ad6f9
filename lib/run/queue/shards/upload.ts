import { hostname } from 'node:os';
import { keepTrying } from '../../../core/async.ts';
import { reason } from '../../../core/errors.ts';
import { uploadRefused, uploadUntrusted } from '../errors.ts';
import { createBatchSink, type RecordSink } from './shard.ts';

/**
 * Sends records to the coordinator (`collect-uploads.ts`). `sync` resolves when the coordinator has them on its disk,
 * and tries again while it cannot be reached. Rejects with `UPLOAD_REFUSED`, `UPLOAD_UNTRUSTED` or the signal's reason.
 */
export function createUpload(
  address: string,
  { runId, ...sending }: Sending & { readonly runId: string },
): RecordSink {
  const url = new URL(`records/${runId}/${hostname()}-${process.pid}`, `${address.replace(/\/$/, '')}/`);
  return createBatchSink(lines => send(url, lines, sending));
}

interface Sending {
  readonly token: string;
  readonly signal: AbortSignal;
  /** Told once each time that the coordinator goes out of reach. */
  readonly warn: (sentence: string) => void;
}

async function send(url: URL, body: string, { token, signal, warn }: Sending): Promise<void> {
  let isWarned = false;
  await keepTrying(async () => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/jsonl' },
      body,
      signal,
    }).catch((error: Error) => {
      const cause = error.cause ?? error;
      if (isUntrusted(cause)) throw uploadUntrusted(url.origin, cause);
      if (!signal.aborted && !isWarned) {
        warn(`The coordinator at ${url.origin} cannot be reached: ${reason(cause)}. hefix keeps trying.`);
      }
      isWarned = true;
      return null;
    });
    if (answer?.ok) return { result: undefined };
    if (answer && answer.status >= 400 && answer.status < 500) {
      throw uploadRefused(url.origin, await beginningOf(answer));
    }
    return null;
  }, signal);
}

/** As much as a sentence needs. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= MAX_WORDS) break;
  }
  return text.slice(0, MAX_WORDS).trim();
}

const MAX_WORDS = 1000;

/** Whether the certificate was refused, which trying again does not change. */
function isUntrusted(cause: unknown): boolean {
  const { code = '' } = Object(cause) as { readonly code?: unknown };
  return /CERT|SIGNATURE|ERR_TLS/.test(String(code));
}
