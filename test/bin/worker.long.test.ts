import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controlQueue } from '../../lib/cli/queue/queue.ts';
import { hefix } from '../support/cli.ts';
import { needs } from '../support/needs.ts';
import { redisServer, sharedRedis } from '../support/redis.ts';
import { recordsIn } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Starts a run of two tasks whose tests take so many seconds, and a way to start workers for it. */
async function startRun(redis: string, queueName: string, seconds: readonly [number, number]) {
  const folder = await temporaryFolder();
  const [dataset, script, out] = ['set.jsonl', 'script.jsonl', 'r.jsonl'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const lines = (objects: readonly object[]) => objects.map(one => `${JSON.stringify(one)}\n`).join('');
  const rows = seconds.map((length, index) => ({
    ...{ task_id: `slow/${index}`, entry_point: 'add', declaration: 'def add(a, b):\n' },
    canonical_solution: '    return a + b\n',
    buggy_solution: '    return a - b\n',
    test: `import time\ntime.sleep(${length})\nassert add(1, 2) == 3\n`,
  }));
  const answer = '```python\ndef add(a, b):\n    return a + b\n```';
  await writeFile(dataset, lines(rows));
  await writeFile(script, lines([{ when: 'def add(', completions: [answer, answer] }]));
  const at = ['--queue', redis, '--queue-name', queueName];
  const model = ['--backend', 'scripted', '--model', script, '--dataset', dataset];
  const run = hefix(['run', ...model, '--timeout', '60', '--iters', '0', '--out', out, '--quiet', ...at]);
  return {
    out,
    run,
    status: () => controlQueue('status', { queue: redis, queueName }),
    worker: (...args: readonly string[]) => hefix(['worker', '-c', '2', ...args, ...at]),
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 50));
}

describe('a worker', needs(redisServer), () => {
  const redis = sharedRedis();

  test('after one SIGTERM finishes the units that end within --grace, gives back the others and exits with 0', async () => {
    const { out, run, status, worker } = await startRun(redis().url, 'one', [1, 30]);
    const drained = worker('--grace', '8');
    await until(async () => (await status()).active === 2);
    drained.kill('SIGTERM');
    const { exitCode, stderr } = await drained;
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Finishing the units that end within 8 s and giving back the others');
    expect(await status()).toMatchObject({ recorded: 1, waiting: 1, active: 0 });
    run.kill('SIGTERM');
    await run;
    expect((await recordsIn(out)).map(record => [record.task_id, record.passed])).toEqual([['slow/0', true]]);
  });

  test('after a second SIGTERM gives back all, which another worker finishes', async () => {
    const { out, run, status, worker } = await startRun(redis().url, 'two', [5, 5]);
    const forced = worker('--grace', '600');
    await until(async () => (await status()).active === 2);
    forced.kill('SIGTERM');
    await new Promise(resolve => setTimeout(resolve, 100));
    forced.kill('SIGTERM');
    expect((await forced).exitCode).toBe(130);
    expect(await status()).toMatchObject({ recorded: 0, waiting: 2, active: 0 });
    const last = worker('--once');
    expect((await run).exitCode).toBe(0);
    expect((await last).exitCode).toBe(0);
    expect((await readFile(out, 'utf8')).trim().split('\n')).toHaveLength(2);
  });
});
