import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentProgress } from '../../lib/cli/terminal/line-progress.ts';
import { verify } from '../../lib/cli/verify/verify.ts';
import { work } from '../../lib/cli/worker/command.ts';
import { parseVerifyOptions } from '../../lib/options/tables/command-options.ts';
import { parseWorkerOptions } from '../../lib/options/tables/queue-options.ts';
import { runParts } from '../../lib/run/library/run-parts.ts';
import { hefixHere } from '../support/cli.ts';
import { needs } from '../support/needs.ts';
import { redisServer, sharedRedis } from '../support/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();

/** The tests of `small/2` assert nothing; the canonical solution of `small/1` depends on string hashes. */
async function writeSet(folder: string): Promise<string> {
  const row = (index: number, canonical: string, test: string) => ({
    task_id: `small/${index}`,
    declaration: 'def double(x):\n',
    docstring: 'Gives x twice.',
    canonical_solution: `    ${canonical}\n`,
    buggy_solution: '    return x\n',
    entry_point: 'double',
    test,
  });
  const rows = [
    row(0, 'return 2 * x', 'assert double(2) == 4\n'),
    row(1, 'return 2 * x if hash("a") % 2 else x', 'assert double(2) == 4\nassert double(3) == 6\n'),
    row(2, 'return 2 * x', 'def check(candidate):\n    pass\n\ncheck(double)\n'),
  ];
  const dataset = join(folder, 'set.jsonl');
  await writeFile(dataset, rows.map(one => `${JSON.stringify(one)}\n`).join(''));
  return dataset;
}

describe('hefix verify --queue', needs(redisServer), () => {
  const redis = sharedRedis();

  test('gives the result of hefix verify, judged by the workers', async () => {
    const folder = await temporaryFolder();
    const dataset = await writeSet(folder);
    const flags = ['--dataset', dataset, '--repeat', '4', '--timeout', '20'];
    const out = join(folder, 'v.jsonl');
    const verified = hefixHere(['verify', ...flags, '--queue', redis().url, '--out', out]);
    let judged = 0;
    await work(parseWorkerOptions({ queue: redis().url, once: true, concurrency: 2 }), {
      clock: { date: () => new Date(), now: () => performance.now() },
      events: silentProgress(),
      joined() {},
      worked: () => void judged++,
      drain: signal,
      giveBack: signal,
      runParts: async () => runParts(),
    });
    const { stdout, exitCode } = await verified;
    const alone = await verify(parseVerifyOptions({ dataset, repeat: '4', timeout: '20' }), () => {}, {
      signal,
    });
    expect(JSON.parse(stdout)).toEqual(alone);
    expect([exitCode, judged]).toEqual([1, 24]);
  });

  test('takes no options that concern this machine only, and --out with --queue only', async () => {
    const errorOf = async (...args: string[]) => (await hefixHere(['verify', ...args])).stderr;
    expect(await errorOf('--repeat', '2', '--load', '--queue', 'redis://h')).toContain(
      '--load and --queue cannot be combined.',
    );
    expect(await errorOf('--out', 'x.jsonl')).toContain('--out requires --queue.');
    expect(await errorOf('--queue', 'redis://h', '--resume')).toContain('--resume requires --out.');
  });
});
