import type { S3Client } from '@aws-sdk/client-s3';
import { joinSignals, keepTrying } from '../../../core/async.ts';
import { reason } from '../../../core/errors.ts';
import { shardsPackageMissing, shardsUnusable } from '../errors.ts';

/** The part of a bucket below a prefix; keys are relative to it. */
export interface Bucket {
  /** Undefined if there is no such object. */
  get(key: string): Promise<Buffer | undefined>;
  /** Large bodies are sent in several parts. */
  put(key: string, body: string): Promise<void>;
  /** Does nothing if there is such an object, where the server knows conditional writes. */
  putNew(key: string, body: string): Promise<void>;
  /** `a/` for each object `a/…`. */
  folders(): Promise<string[]>;
  /** Keys of a folder in their order, from the one after `after`. */
  keys(folder: string, after: string): Promise<string[]>;
}

/**
 * Opens `s3://bucket/prefix` with the official client, which takes credentials, region and address from the usual AWS_
 * variables. Requests are repeated while the server cannot be reached or is busy. Methods reject with `SHARDS_UNUSABLE`
 * or the signal's reason; rejects with `SHARDS_PACKAGE_MISSING`.
 */
export async function openBucket(location: string, runSignal: AbortSignal): Promise<Bucket> {
  const { s3, Upload } = await loadClient();
  // The client adds a listener for each request in flight.
  const { signal } = joinSignals(runSignal);
  const { hostname: Bucket, pathname } = new URL(location);
  const prefix = pathname.replace(/^\/+|(?<!\/)\/+$/g, '');
  const full = (key: string) => (prefix === '' ? key : `${prefix}/${key}`);
  const client = newClient(s3);
  const whenReachable = <Result>(request: () => Promise<Result>) => untilReached(request, location, signal);

  async function list(
    folder: string,
    options: { readonly Delimiter?: string; readonly StartAfter?: string },
  ) {
    const listing: { folders: string[]; keys: string[] } = { folders: [], keys: [] };
    const relative = (key = '') => key.slice(full('').length);
    let next: string | undefined;
    do {
      const page = await whenReachable(() =>
        client.send(
          new s3.ListObjectsV2Command({
            Bucket,
            Prefix: full(folder),
            ...options,
            ...(next !== undefined && { ContinuationToken: next }),
          }),
          { abortSignal: signal },
        ),
      );
      listing.folders.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => relative(Prefix)));
      listing.keys.push(...(page.Contents ?? []).map(({ Key }) => relative(Key)));
      next = page.NextContinuationToken;
    } while (next !== undefined);
    return listing;
  }

  return {
    get: key =>
      whenReachable(async () => {
        try {
          const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key: full(key) }), {
            abortSignal: signal,
          });
          return Buffer.from((await Body?.transformToByteArray()) ?? []);
        } catch (error) {
          if (error instanceof s3.NoSuchKey) return undefined;
          throw error;
        }
      }),
    put: (key, body) =>
      whenReachable(async () => {
        await new Upload({ client, params: { Bucket, Key: full(key), Body: Buffer.from(body) } }).done();
      }),
    putNew: (key, body) =>
      whenReachable(async () => {
        const command = new s3.PutObjectCommand({ Bucket, Key: full(key), Body: body, IfNoneMatch: '*' });
        await client.send(command, { abortSignal: signal }).catch(error => {
          if (statusOf(error) !== 412) throw error;
        });
      }),
    folders: async () => (await list('', { Delimiter: '/' })).folders,
    keys: async (folder, after) => (await list(folder, { StartAfter: full(after) })).keys,
  };
}

async function loadClient() {
  try {
    const s3 = await import('@aws-sdk/client-s3');
    const { Upload } = await import('@aws-sdk/lib-storage');
    return { s3, Upload };
  } catch (cause) {
    throw shardsPackageMissing(cause);
  }
}

function newClient(s3: typeof import('@aws-sdk/client-s3')): S3Client {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const isElsewhere = (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined;
  const region = AWS_REGION ?? AWS_DEFAULT_REGION ?? (isElsewhere ? 'us-east-1' : undefined);
  return new s3.S3Client({
    ...(region !== undefined && { region }),
    // Servers other than Amazon's often have no host for each bucket, and do not know newer checksums.
    forcePathStyle: isElsewhere,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

async function untilReached<Result>(
  request: () => Promise<Result>,
  location: string,
  signal: AbortSignal,
): Promise<Result> {
  return await keepTrying(async () => {
    try {
      return { result: await request() };
    } catch (error) {
      signal.throwIfAborted();
      if (!isTemporary(error)) throw shardsUnusable(location, reason(error));
      return null;
    }
  }, signal);
}

/** Whether the server was away or busy: such a request succeeds later. */
function isTemporary(error: unknown): boolean {
  const { code = '' } = Object(error) as { code?: unknown };
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || status === 429;
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'].includes(String(code));
}

function statusOf(error: unknown): number | undefined {
  return (Object(error) as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
