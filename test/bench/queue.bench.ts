import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'vitest';
import { plural } from '../../lib/report/numbers.ts';
import { type Settings, startCluster } from '../chaos/cluster.ts';
import { startRedis } from '../support/redis.ts';

/**
 * Units per second through the queue, and what a unit takes of Redis and of the network. The overhead is what the queue
 * adds to a unit of one worker. `npm run bench:queue`
 */

const counts: Readonly<Record<number, number>> = { 0: 1200, 50: 240, 500: 32 };

test('units per second with 1, 2, 4 and 8 workers, next to one process', async () => {
  const rows: object[] = [];
  for (const [milliseconds, count] of Object.entries(counts).map(entry => entry.map(Number))) {
    const settings = { count: count ?? 0, milliseconds: milliseconds ?? 0, concurrency: 1 };
    const alone = await rateOf(settings, 0);
    const rates: number[] = [];
    for (const workers of WORKERS) rates.push(await rateOf(settings, workers));
    rows.push({
      'unit ms': milliseconds,
      'in process': alone.toFixed(1),
      ...Object.fromEntries(WORKERS.map((workers, at) => [plural(workers, 'worker'), rates[at]?.toFixed(1)])),
      'overhead ms': (1000 / (rates[0] ?? 0) - 1000 / alone).toFixed(1),
    });
    console.table(rows);
  }
});

const WORKERS = [1, 2, 4, 8];

/** Units per second from the first record on; with 0 workers, of a run in one process. */
async function rateOf(settings: Omit<Settings, 'url'>, workers: number): Promise<number> {
  const redis = await startRedis('--appendonly', 'yes');
  const cluster = await startCluster({ url: redis.url, ...settings }, workers);
  // Workers that are started have loaded their modules.
  if (workers > 0) await wait(3000 + 500 * workers);
  const coordinator = workers > 0 ? cluster.coordinator() : cluster.start('alone', { workers: 1 });
  let before = 0;
  while (before === 0) {
    await wait(50);
    before = await cluster.recorded();
  }
  const start = performance.now();
  await (workers > 0 ? cluster.finish(coordinator) : once(coordinator, 'exit'));
  const seconds = (performance.now() - start) / 1000;
  await redis.close();
  await rm(cluster.folder, { recursive: true, force: true });
  return (settings.count - before) / seconds;
}

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
    while (Number(redis.ask('llen', 'hefix:hefix:wait')) < jobs) await wait(200);
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
