import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Closable } from '../../../core/async.ts';
import { HefixError, reason } from '../../../core/errors.ts';
import { readRegular } from '../../../files/untrusted-file.ts';
import { parseRecord } from '../../../report/results/read-results.ts';
import { collectUnusable } from '../errors.ts';
import type { RecordSink, Shards } from './shard.ts';

export interface CollectOptions {
  /** The address that workers send to; its port is listened on. */
  readonly address: string;
  /** Files of the certificate and its key, for https. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string;
}

/**
 * Listens for the records of workers that do not share the folder, and writes them to shards of their own. An answer of
 * 204 says that they are on the disk. Rejects with `COLLECT_UNUSABLE`.
 */
export async function collectUploads(
  { address, certificate, key, token }: CollectOptions,
  { runId, shards }: { readonly runId: string; readonly shards: Shards },
): Promise<Closable> {
  const sinks = new Map<string, RecordSink>();
  const session = `${process.pid}-${Date.now()}`;
  const receive = async (request: IncomingMessage): Promise<readonly [number, string]> => {
    const [, run, worker] = /^\/records\/(\w+)\/([\w.-]{1,200})$/.exec(request.url ?? '') ?? [];
    if (request.method !== 'POST' || worker === undefined) return [404, 'There is nothing here.'];
    if (!isToken(request.headers.authorization, token)) return [401, 'The token is wrong.'];
    if (run !== runId) return [409, 'The coordinator collects another run.'];
    const text = await bodyOf(request);
    if (text === null) return [413, 'The records are too large.'];
    const rows = text.trimEnd().split('\n');
    const records = rows.map((row, index) => parseRecord('the upload', index + 1, row));
    const sink = sinks.get(worker) ?? shards.create(`${worker}-${session}`);
    sinks.set(worker, sink);
    for (const record of records) await sink.write(record);
    await sink.sync();
    return [204, ''];
  };
  const listener: RequestListener = (request, response) => {
    receive(request)
      .catch(error => {
        const isInvalid = error instanceof HefixError && error.code.startsWith('RECORD');
        return isInvalid ? ([400, error.message] as const) : ([503, reason(error)] as const);
      })
      .then(([status, text]) => response.writeHead(status).end(text));
  };
  try {
    const url = new URL(address);
    const server =
      url.protocol === 'https:'
        ? createSecureServer(
            {
              cert: await readRegular(certificate ?? '', 2 ** 20),
              key: await readRegular(key ?? '', 2 ** 20),
            },
            listener,
          )
        : createServer(listener);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(Number(url.port || (url.protocol === 'https:' ? 443 : 80)), () => resolve());
    });
    return {
      async close() {
        server.closeAllConnections();
        await new Promise(resolve => server.close(resolve));
        for (const sink of sinks.values()) await sink.close();
      },
    };
  } catch (cause) {
    throw collectUnusable(address, cause);
  }
}

const MAX_BYTES = 256 * 2 ** 20;

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Compares in a time that does not depend on the token. */
function isToken(header: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`));
}
