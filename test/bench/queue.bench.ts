import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startCluster } from '../chaos/cluster.ts';
import { startRedis } from '../support/redis.ts';

/** Units per second through the queue, and what a waiting unit takes of Redis. `npm run bench:queue` */

const counts: Readonly<Record<number, number>> = { 0: 1200, 50: 240, 500: 32 };

test('units per second with 1, 2, 4 and 8 workers, next to one process', async () => {
  const rows: Record<string, string | number>[] = [];
  for (const [milliseconds, count] of Object.entries(counts).map(entry => entry.map(Number))) {
    const row: Record<string, string | number> = { 'unit ms': milliseconds ?? 0 };
    for (const workers of [0, 1, 2, 4, 8]) {
      const redis = await startRedis('--appendonly', 'yes');
      const settings = { url: redis.url, count: count ?? 0, milliseconds: milliseconds ?? 0, concurrency: 1 };
      const cluster = await startCluster(settings, workers);
      // Workers that are started have loaded their modules.
      await new Promise(resolve => setTimeout(resolve, workers > 0 ? 3000 + 500 * workers : 0));
      const coordinator = workers > 0 ? cluster.coordinator() : cluster.start('alone', { workers: 1 });
      const first = Date.now();
      while ((await cluster.recorded()) === 0) await new Promise(resolve => setTimeout(resolve, 50));
      const from = [await cluster.recorded(), Date.now()] as const;
      await (workers > 0 ? cluster.finish(coordinator) : once(coordinator, 'exit'));
      const seconds = (Date.now() - from[1]) / 1000;
      row[workers === 0 ? 'in process' : `${workers} workers`] = Math.round(
        ((count ?? 0) - from[0]) / seconds,
      );
      expect(first).toBeGreaterThan(0);
      await redis.close();
      await rm(cluster.folder, { recursive: true, force: true });
    }
    rows.push(row);
    console.table(rows);
  }
});

test('bytes of Redis a waiting unit', async () => {
  const redis = await startRedis('--appendonly', 'no');
  const memory = () => Number(/used_memory:(\d+)/.exec(redis.ask('info', 'memory'))?.[1]);
  const before = memory();
  const cluster = await startCluster({ url: redis.url, count: 20_000 }, 0);
  const coordinator = cluster.coordinator();
  while (Number(redis.ask('llen', 'hefix:hefix:wait')) < 20_000) await new Promise(r => setTimeout(r, 200));
  console.log(`${((memory() - before) / 20_000 / 1000).toFixed(2)} kB a waiting unit`);
  coordinator.kill('SIGKILL');
  await redis.close();
});
