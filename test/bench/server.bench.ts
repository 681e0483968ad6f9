import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';

/**
 * Requests per second and memory of a run with 256 workers against a server that takes two seconds for each answer.
 * Each is a process of its own.
 */
const WORKERS = 256;
const LATENCY = 2;
const count = Number(process.env.TASKS ?? 8192);

interface Sample {
  readonly done: number;
  /** Milliseconds. */
  readonly at: number;
  readonly processor: number;
  /** Bytes; `live` after garbage was collected. */
  readonly rss: number;
  readonly live: number;
}

test('a large model server', async () => {
  const server = fork('test/bench/server/slow-server.mjs', [String(LATENCY * 1000)]);
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const folder = mkdtempSync(join(tmpdir(), 'hefix-bench-'));
  const settings = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    out: join(folder, 'r.jsonl'),
    count,
    workers: WORKERS,
  };
  const profile = process.env.CPU_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.CPU_PROFILE}`] : [];
  const samples = await samplesOf(
    fork('test/bench/server/client.mjs', [JSON.stringify(settings)], {
      execArgv: ['--expose-gc', ...profile],
    }),
  );
  server.send('end');
  const [{ connections }] = (await once(server, 'message')) as [{ connections: number }];
  const [first] = samples;
  const rows = samples.slice(1).map((sample, index) => {
    const before = samples[index] ?? sample;
    const [requests, seconds] = [sample.done - before.done, (sample.at - before.at) / 1000];
    return {
      requests: sample.done,
      'requests a second': (requests / seconds).toFixed(1),
      'of the most': percent(requests / seconds),
      'ms of processor time a request': ((sample.processor - before.processor) / requests).toFixed(2),
      'MiB resident': (sample.rss / 2 ** 20).toFixed(0),
      'MiB live': (sample.live / 2 ** 20).toFixed(0),
    };
  });
  console.table(rows);
  const [last] = samples.slice(-1);
  const seconds = ((last?.at ?? 0) - (first?.at ?? 0)) / 1000;
  process.stdout.write(
    `${count} requests in ${seconds.toFixed(1)} s: ${(count / seconds).toFixed(1)} a second, ${percent(count / seconds)} of ${WORKERS / LATENCY}; ${connections} connections\n`,
  );
  rmSync(folder, { recursive: true });
});

const percent = (rate: number) => `${((100 * rate * LATENCY) / WORKERS).toFixed(1)}%`;

async function samplesOf(client: ChildProcess): Promise<Sample[]> {
  const samples: Sample[] = [];
  client.on('message', sample => samples.push(sample as Sample));
  const [code] = await once(client, 'exit');
  if (code !== 0) throw new Error(`The run ended with ${code}.`);
  return samples;
}
