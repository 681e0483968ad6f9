import { backendReplyInvalid } from '../../core/errors.ts';
import { RequestFailure } from './request-failure.ts';

/**
 * The chunks of a reply, up to a limit: a server that never stops sending is not read to the end of the memory.
 * `onBytes` is called with each chunk's arrival. Rejects with a RequestFailure above the limit.
 */
export async function* limitedBody(
  body: AsyncIterable<Uint8Array>,
  { address, maxBytes, onBytes }: { address: string; maxBytes: number; onBytes: () => void },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    onBytes();
    bytes += chunk.length;
    if (bytes > maxBytes) {
      const what = `is longer than ${Math.floor(maxBytes / 2 ** 20)} MiB and was not read further`;
      throw new RequestFailure(backendReplyInvalid(address, what), { do: 'retry', waitMs: null });
    }
    yield chunk;
  }
}

/** Of a whole reply: no answer is near it, each token of a stream brings some hundred bytes. */
export function maxReplyBytes(maxNewTokens: number): number {
  return 16 * 2 ** 20 + maxNewTokens * 2 ** 10;
}
