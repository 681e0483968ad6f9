import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test, vi } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { median } from '../../lib/core/numbers.ts';
import type { Sandbox } from '../../lib/core/ports.ts';
import type { Task } from '../../lib/core/task.ts';
import { createJavaScriptSandbox } from '../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { linux, needs } from '../support/needs.ts';
import { sharedData } from '../support/shared-data.ts';

/**
 * What a verdict costs when many JavaScript tasks are judged, by the clock and in processor time of all processes,
 * relative to a bare `node -e 0`, without variables such as NODE_EXTRA_CA_CERTS. Bare starts and passes over the tasks
 * alternate, so that other load affects both; so do passes with the fork server and without. The start of the sandbox is
 * left out, that of later processes is not.
 */
const rounds = 5;
const bareStarts = 8;

interface Cost {
  readonly wall: number;
  readonly processor: number;
}

test.for(['bubblewrap', 'ulimit'] as const)('JavaScript, %s', needs(linux), async isolation => {
  const rows = sharedData('humanevalpack/js.even.jsonl.gz');
  const { tasks } = await loadDataset(rows ?? 'mini-js', { language: 'js' });
  const sandbox = await createJavaScriptSandbox({ isolation });
  const unforked = await startWithoutForks({ isolation });
  const costs = { bare: [] as Cost[], alone: [] as Cost[], two: [] as Cost[], started: [] as Cost[] };
  try {
    for (let round = 0; round < rounds; round++) {
      costs.bare.push(await costOf(bareStarts, async () => startBare()));
      costs.alone.push(await costOf(tasks.length, () => judgeAll(sandbox, tasks, 1)));
      costs.two.push(await costOf(tasks.length, () => judgeAll(sandbox, tasks, 2)));
      costs.started.push(await costOf(tasks.length, () => judgeAll(unforked, tasks, 1)));
    }
  } finally {
    await Promise.all([sandbox.close(), unforked.close()]);
  }
  const bare = middle(costs.bare);
  // The kernel does not add up the times of processes that end with their namespace.
  const tellsTimes = isolation === 'ulimit';
  console.log(
    `JavaScript, ${isolation}, Node.js ${process.versions.node}, ${tasks.length} tasks, ${rounds} rounds`,
  );
  console.log(`  bare start: ${bare.wall.toFixed(1)} ms, ${bare.processor.toFixed(1)} ms of processor time`);
  for (const [name, found] of [
    ['one worker', costs.alone],
    ['two workers', costs.two],
    ['one worker, each process started', costs.started],
  ] as const) {
    const { wall, processor } = middle(found);
    const clock = `${wall.toFixed(1)} ms, ${(wall / bare.wall).toFixed(2)} of a bare start`;
    const work = `${processor.toFixed(1)} ms of processor time, ${(processor / bare.processor).toFixed(2)}`;
    console.log(`  ${name}: ${clock}${tellsTimes ? `; ${work}` : ''}`);
  }
});

/** As on a system without koffi. */
async function startWithoutForks(options: Parameters<typeof createJavaScriptSandbox>[0]): Promise<Sandbox> {
  vi.resetModules();
  vi.doMock('../../lib/sandbox/javascript/fork/kernel.ts', () => ({ hasKernel: false }));
  const { createJavaScriptSandbox } = await import('../../lib/sandbox/javascript/host/javascript-sandbox.ts');
  return createJavaScriptSandbox(options);
}

/** Milliseconds for each of `count` parts of some work. */
async function costOf(count: number, work: () => Promise<void>): Promise<Cost> {
  const [start, before] = [performance.now(), processorTime()];
  await work();
  return { wall: (performance.now() - start) / count, processor: (processorTime() - before) / count };
}

function middle(costs: readonly Cost[]): Cost {
  return {
    wall: median(costs.map(cost => cost.wall)) ?? 0,
    processor: median(costs.map(cost => cost.processor)) ?? 0,
  };
}

/** Milliseconds of processor time of this process, of those below it, and of those that ended. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  const [, , ...ended] = times(process.pid);
  const others = below(process.pid).flatMap(times);
  return (user + system) / 1000 + 10 * [...ended, ...others].reduce((sum, ticks) => sum + ticks, 0);
}

/** Fields 14 to 17 of /proc/PID/stat: user and system time, and those of ended children, in hundredths of a second. */
function times(pid: number): number[] {
  return read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ').slice(11, 15).map(Number) ?? [];
}

function below(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.flatMap(child => [child, ...below(child)]);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function startBare(): void {
  for (let i = 0; i < bareStarts; i++) spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore', env: {} });
}

async function judgeAll(sandbox: Sandbox, tasks: readonly Task[], workers: number): Promise<void> {
  const waiting = [...tasks];
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await judge(sandbox, task);
  };
  await Promise.all(Array.from({ length: workers }, work));
}

async function judge(sandbox: Sandbox, task: Task): Promise<void> {
  const { language, canonical, tests, entryPoint, declaration } = task;
  const request = { language, candidate: canonical, tests, entryPoint, declaration };
  const { verdict } = await sandbox.execute(request);
  if (verdict.kind !== 'passed') throw new Error(`${task.id}: ${verdict.message}`);
}
