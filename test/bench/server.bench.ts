import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { parseRunOptions } from '../../lib/options/run-options.ts';
import { run } from '../../lib/run/run.ts';
import { createServerBackend } from '../../lib/run/server-backend.ts';
import { context, partsFor, tasks } from '../run/fakes.ts';

/**
 * Requests per second and memory of a run with 256 workers against a server that takes two seconds for each
 * answer, in a process of its own. Verdicts cost nothing here, so that the requests are what is measured.
 */
const WORKERS = 256;
const LATENCY = 2;
const count = Number(process.env.TASKS ?? 8192);

test('a large model server', async () => {
  const server = fork('test/bench/server/slow-server.mjs', [String(LATENCY * 1000)]);
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const folder = mkdtempSync(join(tmpdir(), 'hefix-bench-'));
  const options = parseRunOptions({
    backend: 'openai',
    model: 'coder',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    workers: WORKERS,
    iters: 0,
    out: join(folder, 'r.jsonl'),
  });
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(process.memoryUsage().rss / 2 ** 20), 1000);
  const createModel = async () => createServerBackend(options, {}, { warn() {} });
  const start = performance.now();
  const before = process.cpuUsage();
  await run(options, partsFor(tasks(count), { createModel }), context());
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  clearInterval(timer);
  server.send('end');
  const [{ connections }] = (await once(server, 'message')) as [{ connections: number }];
  const most = (WORKERS / LATENCY) * (count / (Math.ceil(count / WORKERS) * WORKERS));
  const at = (share: number) => memory[Math.floor((memory.length - 1) * share)]?.toFixed(0);
  process.stdout.write(
    `${count} requests in ${seconds.toFixed(1)} s: ${(count / seconds).toFixed(1)} a second, ${((100 * count) / seconds / most).toFixed(1)}% of ${most.toFixed(0)}; ${connections} connections; ${((user + system) / 1000 / count).toFixed(1)} ms of processor time a request; memory after a quarter, half and all ${[0.25, 0.5, 1].map(at).join(', ')} MiB\n`,
  );
  rmSync(folder, { recursive: true });
});
