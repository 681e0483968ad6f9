import type { Redis } from 'ioredis';
import { HefixError } from '../../core/errors.ts';
import { queuePackageMissing, queueRefused, queueTooOld, queueUnreachable } from './errors.ts';

/** The server that holds a queue. */
export interface QueueServer {
  readonly kind: 'redis' | 'postgres';
  /** With user and password; never shown. */
  readonly url: string;
  /** `redis://host:6379`, without user and password. */
  readonly address: string;
  /** Settings that could lose work; whole sentences. */
  readonly warnings: readonly string[];
}

/**
 * Connects once, to find out whether the server can hold a queue. A password that is not in the address is taken from
 * `password`. Rejects with `QUEUE_UNREACHABLE`, `QUEUE_REFUSED`, `QUEUE_TOO_OLD` or `QUEUE_PACKAGE_MISSING`.
 */
export async function checkServer(serverUrl: string, password: string | undefined): Promise<QueueServer> {
  const url = new URL(serverUrl);
  if (password && url.password === '') url.password = password;
  const address = addressOf(url);
  const kind = url.protocol.startsWith('redis') ? 'redis' : 'postgres';
  const check = kind === 'redis' ? checkRedis : checkPostgres;
  try {
    return { kind, url: url.href, address, warnings: await check(url.href, address) };
  } catch (error) {
    if (error instanceof HefixError) throw error;
    throw isRefusal(error) ? queueRefused(address, error) : queueUnreachable(address, error);
  }
}

/** Without user, password and query, where drivers accept a password too. */
export function addressOf(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname.replace(/^\/$/, '')}`;
}

/** What BullMQ needs. */
const oldestRedis = '5.0';
const oldestPostgres = 13;
const CONNECT_MS = 5_000;

async function checkRedis(url: string, address: string): Promise<string[]> {
  const ioredis = await import('ioredis').catch(cause => {
    throw queuePackageMissing('bullmq@6 ioredis', cause);
  });
  const options = { lazyConnect: true, retryStrategy: () => null, connectTimeout: CONNECT_MS };
  const client = new ioredis.Redis(url, {
    ...options,
    commandTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    protocol: 2,
  });
  // The promise of `connect` only says that the connection is closed.
  let cause: unknown;
  client.on('error', error => {
    cause = error;
  });
  try {
    await client.connect();
    return await redisWarnings(client, address);
  } catch (error) {
    throw error instanceof HefixError ? error : (cause ?? error);
  } finally {
    client.disconnect();
  }
}

async function redisWarnings(client: Redis, address: string): Promise<string[]> {
  const facts = new Map(
    (await client.info()).split(/\r?\n/).map(line => {
      const [name = '', ...value] = line.split(':');
      return [name, value.join(':')];
    }),
  );
  const version = facts.get('redis_version');
  if (version !== undefined && Number.parseFloat(version) < Number(oldestRedis)) {
    throw queueTooOld(address, `Redis ${version}`, oldestRedis);
  }
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  return [
    ...(facts.get('aof_enabled') === '0'
      ? [
          `Redis at ${address} keeps no append-only file, so a crash loses the queue and hefix has to fill it again. To fix it: redis-cli config set appendonly yes`,
        ]
      : []),
    ...(policy === 'noeviction'
      ? []
      : [
          `Redis at ${address} may evict jobs (maxmemory-policy ${policy}). To fix it: redis-cli config set maxmemory-policy noeviction`,
        ]),
  ];
}

async function checkPostgres(url: string, address: string): Promise<string[]> {
  const { default: pg } = await import('pg').catch(cause => {
    throw queuePackageMissing('bullmq@6 pg', cause);
  });
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    const version = rows[0]?.server_version ?? '';
    if (Number.parseInt(version, 10) < oldestPostgres) {
      throw queueTooOld(address, `PostgreSQL ${version}`, String(oldestPostgres));
    }
    const synchronous = await client.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
    return synchronous.rows[0]?.synchronous_commit === 'off'
      ? [
          `PostgreSQL at ${address} confirms before it writes (synchronous_commit off), so a crash loses jobs and hefix has to add them again. To fix it: ALTER SYSTEM SET synchronous_commit = on`,
        ]
      : [];
  } finally {
    await client.end().catch(() => {});
  }
}

function isRefusal(error: unknown): boolean {
  const { code = '', message = '' } = Object(error) as { code?: string; message?: string };
  return /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR invalid password)/.test(message) || /^28/.test(code);
}
