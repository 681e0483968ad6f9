import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { packageFile } from '../../lib/files/package.ts';
import { recordsHash } from '../../lib/run/queue/collect.ts';
import { recordsIn } from '../support/small-run.ts';

export interface Settings {
  readonly url: string;
  readonly count: number;
  readonly milliseconds?: number;
  readonly concurrency?: number;
  readonly poison?: readonly number[];
  readonly options?: object;
}

export type Member = ChildProcess;

/** Processes of one run: a coordinator, and workers that are started again when they end. */
export async function startCluster(settings: Settings, workers: number, prefix: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'hefix-chaos-'));
  const out = join(folder, 'r.jsonl');
  const said: string[] = [];
  let isOver = false;
  const start = (role: string, own: object = {}, wrapper: readonly string[] = []): Member => {
    const json = JSON.stringify({ out, ...settings, ...own });
    const [command = '', ...args] = [
      ...wrapper,
      process.execPath,
      packageFile('test/chaos/member.mjs'),
      role,
      json,
    ];
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', text => said.push(String(text)));
    return child;
  };
  const all: Member[] = [];
  /** `own`: settings of this worker. */
  const keep = (index: number, own: object = {}) => {
    const child = start('worker', own, prefix);
    all[index] = child;
    child.once('exit', () => {
      if (!isOver) keep(index, own);
    });
  };
  for (let index = 0; index < workers; index++) keep(index);
  return {
    folder,
    out,
    said,
    workers: all,
    start,
    keep,
    coordinator: (own: object = {}) => start('coordinator', own),
    /** Resolves when the coordinator has ended, and stops the workers. */
    async finish(coordinator: Member): Promise<void> {
      const code = coordinator.exitCode ?? (await once(coordinator, 'exit'))[0];
      isOver = true;
      for (const worker of all) worker.kill('SIGKILL');
      if (code !== 0) throw new Error(`The coordinator ended with ${code}: ${said.slice(-5).join('')}`);
    },
    /** The hash of the records, and that of the same run in one process. */
    async hashes(): Promise<readonly [string, string]> {
      const alone = join(folder, 'alone.jsonl');
      const child = start('alone', { out: alone, milliseconds: 0, poison: [] });
      await once(child, 'exit');
      return [recordsHash(await recordsIn(out)), recordsHash(await recordsIn(alone))];
    },
    recorded: async () => (await recordsIn(out).catch(() => [])).length,
  };
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Does something while the coordinator runs, every so often, at most `times`. Resolves with how often it was done. */
export async function disturb(
  coordinator: Member,
  times: number,
  milliseconds: () => number,
  action: (time: number) => unknown,
): Promise<number> {
  let done = 0;
  while (done < times && coordinator.exitCode === null) {
    await wait(milliseconds());
    if (coordinator.exitCode !== null) break;
    await action(done++);
  }
  return done;
}
