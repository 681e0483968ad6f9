import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCluster } from '../chaos/cluster.ts';
import { startRedis } from '../support/redis.ts';

/** Units per second through the queue, and what a unit takes of Redis and of the network. `npm run bench:queue` */

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

test('what a unit takes of Redis, of the network and of the coordinator', async () => {
  const rows: object[] = [];
  for (const batch of [1, 64]) {
    const redis = await startRedis('--appendonly', 'no');
    const fact = (section: string, name: string) =>
      Number(new RegExp(`${name}:(\\d+)`).exec(redis.ask('info', section))?.[1]);
    const sent = () => fact('stats', 'total_net_input_bytes') + fact('stats', 'total_net_output_bytes');
    const before = fact('memory', 'used_memory');
    const cluster = await startCluster({ url: redis.url, count: UNITS, options: { batch } }, 0);
    const coordinator = cluster.coordinator();
    const jobs = Math.ceil(UNITS / batch);
    while (Number(redis.ask('llen', 'hefix:hefix:wait')) < jobs) await new Promise(r => setTimeout(r, 200));
    const waiting = (fact('memory', 'used_memory') - before) / UNITS;
    const added = sent();
    const { size } = await stat(join(cluster.folder, 'r.manifest.json'));
    const settings = { url: redis.url, count: UNITS, milliseconds: 0, concurrency: 8 };
    const workers = [1, 2].map(() => cluster.start('worker', settings));
    await cluster.finish(coordinator);
    for (const worker of workers) worker.kill('SIGKILL');
    const records = (await stat(cluster.out)).size / UNITS;
    rows.push({
      'units in a job': batch,
      'bytes of Redis a waiting unit': Math.round(waiting),
      'bytes of the network a unit': Math.round(sent() / UNITS),
      'of these to add it': Math.round(added / UNITS),
      'bytes of a record': Math.round(records),
      'bytes of the run': size,
    });
    await redis.close();
    await rm(cluster.folder, { recursive: true, force: true });
  }
  console.table(rows);
});

const UNITS = 20_000;
