import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controlQueue, type QueueAction } from '../../lib/cli/queue/queue.ts';
import { silentProgress } from '../../lib/cli/terminal/line-progress.ts';
import { work } from '../../lib/cli/worker/command.ts';
import { parseWorkerOptions } from '../../lib/options/tables/queue-options.ts';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import { runParts } from '../../lib/run/library/run-parts.ts';
import { hefixHere } from '../support/cli.ts';
import { needs } from '../support/needs.ts';
import { freePort, redisServer, sharedRedis, startRedis } from '../support/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('an unknown action is answered with the known ones', async () => {
  const { exitCode, stderr } = await hefixHere(['queue', 'stop', '--queue', 'redis://127.0.0.1']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'hefix queue takes status|pause|resume|drain|reconcile|board, but was given "stop". [ARGUMENT_UNEXPECTED]\nSee hefix queue --help.',
  );
});

describe('an unusable queue', () => {
  const status = (queue: string, env = {}) => hefixHere(['queue', 'status', '--queue', queue], { env });

  test('a queue that cannot be reached is said so, without the password', async () => {
    const port = await freePort();
    for (const scheme of ['redis', 'postgres']) {
      const { exitCode, stderr } = await status(`${scheme}://user:topsecret@127.0.0.1:${port}`);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        new RegExp(
          `^error The queue at ${scheme}://127.0.0.1:${port} cannot be reached: .*ECONNREFUSED.*\\[QUEUE_UNREACHABLE\\]`,
        ),
      );
      expect(stderr).not.toContain('topsecret');
    }
    const { stderr } = await status('redis//user:topsecret@host');
    expect(stderr).toContain('--queue was given, expected an address such as redis://host:6379');
    expect(stderr).not.toContain('topsecret');
  });

  test('a queue that is too old is said so', async () => {
    const info = '# Server\r\nredis_version:4.0.9\r\n';
    const server = createServer(socket => {
      socket.on('data', text => {
        for (const [, name] of String(text).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
          const isInfo = name?.toLowerCase() === 'info';
          socket.write(isInfo ? `$${info.length}\r\n${info}\r\n` : '-ERR unknown command\r\n');
        }
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { stderr } = await status(`redis://127.0.0.1:${port}`);
    expect(stderr).toContain(
      `The server at redis://127.0.0.1:${port} is Redis 4.0.9, and a queue needs 5.0 or newer.`,
    );
    server.close();
  });

  test(
    'a queue with a password needs it, in the address or in the environment',
    needs(redisServer),
    async () => {
      const redis = await startRedis('--appendonly', 'yes', '--requirepass', 'topsecret');
      try {
        const wrong = await status(redis.url.replace('//', '//:other@'));
        expect(wrong.stderr).toContain('does not accept the user or the password. [QUEUE_REFUSED]');
        const right = await status(redis.url, { HEFIX_QUEUE_PASSWORD: 'topsecret' });
        expect(JSON.parse(right.stdout)).toMatchObject({ run: null, waiting: 0, workers: 0 });
        expect(right.stderr + right.stdout).not.toContain('topsecret');
      } finally {
        await redis.close();
      }
    },
  );

  test('options of a queue need one, and exclude those of a run in this process', async () => {
    const needs = await hefixHere(['run', '--shards', 'x']);
    expect(needs.stderr).toContain('--shards requires --queue.');
    const excluded = await hefixHere(['run', '--queue', 'redis://h', '--workers', '3']);
    expect(excluded.stderr).toContain('--workers and --queue cannot be combined.');
  });
});

describe('hefix run --queue, hefix worker and hefix queue', needs(redisServer), () => {
  const redis = sharedRedis();

  test('run a search, and show, pause, refill and drain the queue', async () => {
    const folder = await temporaryFolder();
    const at = ['--queue', redis().url];
    const out = join(folder, 'r.jsonl');
    const set = ['--agent', 'search', '--no-rank', '--budget', '20', '--ts', '3', '--out', out];
    const stop = new AbortController();
    const first = hefixHere(['run', ...set, ...at], { signal: stop.signal });
    const queue = (action: QueueAction) => controlQueue(action, { queue: redis().url, queueName: 'hefix' });
    while ((await queue('status')).waiting < 3) await new Promise(resolve => setTimeout(resolve, 100));
    stop.abort();
    const { stderr } = await first;
    expect(stderr).toContain('0 of 3 tasks are recorded');
    expect(await queue('pause')).toMatchObject({ paused: true, planned: 3, recorded: 0 });
    const shards = out.replace('.jsonl', '.shards');
    await rename(shards, `${shards}.elsewhere`);
    expect(await queue('status')).toMatchObject({ planned: 3, recorded: null });
    await expect(queue('reconcile')).rejects.toMatchObject({ code: 'SHARDS_NOT_SHARED' });
    await rename(`${shards}.elsewhere`, shards);
    expect((await queue('reconcile')).done).toBe('3 units have no record; their 3 jobs are in the queue.');
    expect((await queue('status')).waiting).toBe(3);
    expect((await queue('resume')).paused).toBe(false);
    expect((await queue('drain')).run).toBeNull();
    await expect(queue('reconcile')).rejects.toMatchObject({ code: 'QUEUE_WITHOUT_RUN' });
    const run = hefixHere(['run', ...set, '--resume', ...at]);
    const { signal } = new AbortController();
    await work(parseWorkerOptions({ queue: redis().url, once: true, concurrency: 2 }), {
      clock: { date: () => new Date(), now: () => performance.now() },
      events: silentProgress(),
      joined() {},
      worked() {},
      drain: signal,
      giveBack: signal,
      runParts: async () => runParts(),
    });
    expect(JSON.parse((await run).stdout).summary.runs).toBe(3);
    expect(parseRecords(out, await readFile(out)).records).toHaveLength(3);
    expect(await readFile(out.replace('.jsonl', '.manifest.json'), 'utf8')).not.toContain('redis');
  });
});
