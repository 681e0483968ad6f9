import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import { backendReplyInvalid, RequestFailure } from '../errors.ts';

/**
 * The chunks of a reply up to a limit, so that a server that never stops sending cannot exhaust memory.
 * `onBytes` is called when a chunk arrives. Rejects with a RequestFailure above the limit.
 */
export async function* limitedBody(
  body: Readable,
  { address, maxBytes, onBytes }: { address: string; maxBytes: number; onBytes: () => void },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // What follows the last chunk that is asked for stays readable.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    onBytes();
    bytes += chunk.length;
    if (bytes > maxBytes) {
      const problem = `is longer than ${Math.floor(maxBytes / 2 ** 20)} MiB and was not read further`;
      throw new RequestFailure(backendReplyInvalid(address, problem), { do: 'retry', waitMs: null });
    }
    yield chunk;
  }
}

/** Limit for a whole reply. A streamed token takes some hundred bytes; no answer comes near. */
export function maxReplyBytes(maxNewTokens: number): number {
  return 16 * 2 ** 20 + maxNewTokens * 2 ** 10;
}

/** The non-empty lines of a text that arrives in chunks; a character may span several chunks. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const pending: string[] = [];
  for await (const chunk of chunks) {
    const [rest = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    pending.push(rest);
    for (const next of lines) {
      const line = pending.splice(0).join('');
      pending.push(next);
      if (line.trim() !== '') yield line;
    }
  }
  const last = pending.join('') + decoder.decode();
  if (last.trim() !== '') yield last;
}

/** The data of a server-sent event. */
export interface StreamEvent {
  readonly data: string;
  /** Whether the server says that it failed: an event `error`, a field `error:`, or an error without any field. */
  readonly isError: boolean;
}

/** Each server-sent event as it arrives; a character may span several chunks. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<StreamEvent> {
  const events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ data, isError: event === 'error' }),
    onError({ type, field, value = '', line = '' }) {
      if (type !== 'unknown-field') return;
      if (field === 'error') events.push({ data: value, isError: true });
      else if (/^\s*\{\s*"(error|object"\s*:\s*"error)"/.test(line))
        events.push({ data: line, isError: true });
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
  // Some servers omit the empty line after the last event.
  parser.feed(`${decoder.decode()}\n\n`);
  yield* events.splice(0);
}
