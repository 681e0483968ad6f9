import type { Readable } from 'node:stream';
import { backendReplyInvalid } from '../errors.ts';
import { RequestFailure } from '../request-failure.ts';

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
      const what = `is longer than ${Math.floor(maxBytes / 2 ** 20)} MiB and was not read further`;
      throw new RequestFailure(backendReplyInvalid(address, what), { do: 'retry', waitMs: null });
    }
    yield chunk;
  }
}

/** Limit for a whole reply. A streamed token takes some hundred bytes; no answer comes near. */
export function maxReplyBytes(maxNewTokens: number): number {
  return 16 * 2 ** 20 + maxNewTokens * 2 ** 10;
}
