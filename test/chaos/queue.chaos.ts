import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordsHash } from '../../lib/run/queue/collect.ts';
import { hefix } from '../support/cli.ts';
import { type Need, needs } from '../support/needs.ts';
import { postgresServer, startPostgres } from '../support/postgres.ts';
import { type RedisServer, redisServer, startRedis } from '../support/redis.ts';
import { recordsIn } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Cluster, disturb, startCluster } from './cluster.ts';

/**
 * Each disaster ends with the hash of an undisturbed run in one process, times aside; merging compares all duplicates,
 * so that each is a test of determinism too.
 */

const namespaces: Need = {
  what: 'network namespaces, as root',
  isThere: spawnSync('ip', ['netns', 'add', 'hefix-probe']).status === 0,
};
if (namespaces.isThere) spawnSync('ip', ['netns', 'del', 'hefix-probe']);

async function same(cluster: Cluster): Promise<void> {
  const [distributed, alone] = await cluster.hashes();
  expect(distributed).toBe(alone);
}

describe('Redis', needs(redisServer), () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await startRedis('--appendonly', 'yes');
  });
  afterEach(async () => await redis.close());

  test('kill -9 of workers at 50 random moments', async () => {
    const cluster = await startCluster({ url: redis.url, count: 1500, milliseconds: 60 }, 3);
    const coordinator = cluster.coordinator();
    const kills = await disturb(
      coordinator,
      50,
      () => 200 + 600 * Math.random(),
      time => cluster.workers[time % 3]?.kill('SIGKILL'),
    );
    await cluster.finish(coordinator);
    console.log(`workers killed ${kills} times`);
    expect(kills).toBe(50);
    await same(cluster);
  });

  test('kill -9 of redis, 10 times', async () => {
    const cluster = await startCluster({ url: redis.url, count: 1200, milliseconds: 60 }, 2);
    const coordinator = cluster.coordinator();
    const kills = await disturb(
      coordinator,
      10,
      () => 1000 + 1000 * Math.random(),
      async () => {
        await redis.kill();
        await wait(300);
        await redis.start();
      },
    );
    await cluster.finish(coordinator);
    console.log(`redis killed ${kills} times`);
    expect(kills).toBe(10);
    await same(cluster);
  });

  test('a restart of redis from an older append-only file', async () => {
    const cluster = await startCluster({ url: redis.url, count: 1000, milliseconds: 60 }, 2);
    const older = join(cluster.folder, 'older');
    const files = join(redis.folder, 'appendonlydir');
    // Taken before the run was added: all of its jobs are lost.
    await redis.kill();
    await cp(files, older, { recursive: true });
    await redis.start();
    const coordinator = cluster.coordinator();
    while ((await cluster.recorded()) < 200) await wait(200);
    await redis.kill();
    await rm(files, { recursive: true });
    await cp(older, files, { recursive: true });
    await redis.start();
    expect(redis.ask('exists', 'hefix:hefix-run:run').trim()).toBe('0');
    await cluster.finish(coordinator);
    await same(cluster);
  });

  test('SIGSTOP of a worker beyond its lock, then SIGCONT', async () => {
    const cluster = await startCluster({ url: redis.url, count: 600, milliseconds: 60 }, 2);
    const coordinator = cluster.coordinator();
    const stops = await disturb(
      coordinator,
      2,
      () => 1500,
      async () => {
        cluster.workers[0]?.kill('SIGSTOP');
        await wait(6000);
        cluster.workers[0]?.kill('SIGCONT');
      },
    );
    await cluster.finish(coordinator);
    expect(stops).toBeGreaterThan(0);
    await same(cluster);
  });

  test('clocks an hour apart', async () => {
    const cluster = await startCluster({ url: redis.url, count: 500, milliseconds: 40 }, 1);
    cluster.keep(1, { hours: 1 });
    cluster.keep(2, { hours: -1 });
    const coordinator = cluster.coordinator();
    await disturb(
      coordinator,
      3,
      () => 1500,
      time => cluster.workers[time]?.kill('SIGKILL'),
    );
    await cluster.finish(coordinator);
    await same(cluster);
  });

  test('redis at maxmemory', async () => {
    redis.ask('config', 'set', 'maxmemory', '1500kb');
    const cluster = await startCluster({ url: redis.url, count: 3000, milliseconds: 5 }, 2);
    const coordinator = cluster.coordinator();
    await wait(8000);
    redis.ask('config', 'set', 'maxmemory', '0');
    await cluster.finish(coordinator);
    expect(cluster.said.join('')).toContain('does not answer: OOM');
    await same(cluster);
  });

  test('the coordinator killed and started again, 5 times; then two coordinators', async () => {
    const cluster = await startCluster({ url: redis.url, count: 800, milliseconds: 60 }, 2);
    for (let time = 0; time < 5; time++) {
      const first = cluster.coordinator();
      await wait(1800);
      first.kill('SIGKILL');
      if (first.exitCode === null && first.signalCode === null) await once(first, 'exit');
    }
    const both = [cluster.coordinator(), cluster.coordinator({ out: join(cluster.folder, 'other.jsonl') })];
    const [first, second] = both;
    if (first === undefined || second === undefined) return;
    if (second.exitCode === null) await once(second, 'exit');
    await cluster.finish(first);
    await same(cluster);
    const other = recordsHash(await recordsIn(join(cluster.folder, 'other.jsonl')));
    expect(other).toBe((await cluster.hashes())[0]);
  });

  test('a unit that kills its worker becomes an error, and no other does', async () => {
    const options = { crashes: 2, lockSeconds: 1 };
    const cluster = await startCluster(
      { url: redis.url, count: 20, milliseconds: 20, poison: [7], options },
      2,
    );
    const coordinator = cluster.coordinator();
    await cluster.finish(coordinator);
    const errors = (await recordsIn(cluster.out)).filter(({ error }) => error !== null);
    expect(errors.map(({ task_id, error, passed }) => [task_id, error?.code, passed])).toEqual([
      ['set/7', 'WORKER_KILLED', null],
    ]);
  });

  test('20,000 units of score', async () => {
    const folder = await temporaryFolder();
    const samples = join(folder, 'samples.jsonl');
    const row = (index: number) => ({ task_id: `mini/${index % 64}`, completion: `I cannot (${index}).` });
    await writeFile(
      samples,
      Array.from({ length: 20_000 }, (_, index) => `${JSON.stringify(row(index))}\n`).join(''),
    );
    const at = ['--queue', redis.url];
    const workers = [1, 2].map(() => hefix(['worker', ...at, '-c', '4', '--once', '--quiet']));
    const out = join(folder, 'r.jsonl');
    const scored = await hefix(['score', samples, '--dataset', 'mini', '--out', out, '--quiet', ...at]);
    expect(scored.exitCode).toBe(0);
    await Promise.all(workers);
    const alone = join(folder, 'alone.jsonl');
    await hefix(['score', samples, '--dataset', 'mini', '--out', alone, '--quiet']);
    const records = await recordsIn(out);
    expect(records).toHaveLength(20_000);
    expect(recordsHash(records)).toBe(recordsHash(await recordsIn(alone)));
  });
});

test('a network partition that drops packets, then heals', needs(redisServer, namespaces), async () => {
  const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' });
  const [name, here, there] = ['hefix-chaos', '10.203.7.1', '10.203.7.2'];
  ip('netns', 'add', name);
  ip('link', 'add', 'hefix0', 'type', 'veth', 'peer', 'name', 'hefix1', 'netns', name);
  ip('addr', 'add', `${here}/24`, 'dev', 'hefix0');
  ip('link', 'set', 'hefix0', 'up');
  ip('-n', name, 'addr', 'add', `${there}/24`, 'dev', 'hefix1');
  ip('-n', name, 'link', 'set', 'hefix1', 'up');
  const redis = await startRedis(
    '--appendonly',
    'yes',
    '--bind',
    '127.0.0.1',
    here,
    '--protected-mode',
    'no',
  );
  const rule = (action: string) =>
    spawnSync('ip', ['netns', 'exec', name, 'iptables', action, 'OUTPUT', '-j', 'DROP'], {
      encoding: 'utf8',
    });
  try {
    const url = `redis://${here}:${redis.port}`;
    const cluster = await startCluster({ url, count: 600, milliseconds: 60 }, 2, [
      'ip',
      'netns',
      'exec',
      name,
    ]);
    const coordinator = cluster.coordinator();
    while ((await cluster.recorded()) < 100) await wait(200);
    expect(rule('-A')).toMatchObject({ status: 0 });
    await wait(8000);
    expect(rule('-D')).toMatchObject({ status: 0 });
    await cluster.finish(coordinator);
    await same(cluster);
  } finally {
    await redis.close();
    ip('netns', 'del', name);
    ip('link', 'del', 'hefix0');
  }
});

test('PostgreSQL killed, 3 times', needs(postgresServer), async () => {
  const postgres = await startPostgres();
  try {
    const cluster = await startCluster({ url: postgres.url, count: 600, milliseconds: 60 }, 2);
    const coordinator = cluster.coordinator();
    while ((await cluster.recorded()) < 20) await wait(200);
    const kills = await disturb(
      coordinator,
      3,
      () => 2500,
      async () => {
        postgres.kill();
        await wait(300);
        postgres.start();
      },
    );
    await cluster.finish(coordinator);
    expect(kills).toBe(3);
    await same(cluster);
  } finally {
    await postgres.close();
  }
});
