import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { freePort } from './redis.ts';

/** An S3-compatible server on a free port of 127.0.0.1, with one bucket. It knows one access key. */
export interface S3Server {
  readonly bucket: string;
  /** What makes the official client use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it; its objects are kept. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'hefix-s3-'));
  const port = await freePort();
  const bucket = 'hefix-records';
  const open = () =>
    new S3rver({
      address: '127.0.0.1',
      port,
      directory,
      silent: true,
      // It expects signatures of `/bucket`, and the official client signs `/bucket/`.
      allowMismatchedSignatures: true,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
  let server = open();
  await server.run();
  return {
    bucket,
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'us-east-1',
    },
    stop: async () => await server.close(),
    async start() {
      server = open();
      await server.run();
    },
    async close() {
      await server.close().catch(() => {});
      await rm(directory, { recursive: true, force: true });
    },
  };
}
