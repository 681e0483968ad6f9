import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { median } from '../../lib/core/numbers.ts';
import type { Sandbox } from '../../lib/core/ports.ts';
import type { Language, Task } from '../../lib/core/task.ts';
import { createDockerSandbox } from '../../lib/extra/docker/docker-sandbox.ts';
import { createJavaScriptSandbox } from '../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { preparePython } from '../../lib/sandbox/python/host/python-programs.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { findDocker } from '../support/docker.ts';
import { sharedData } from '../support/shared-data.ts';

/**
 * The cost of a verdict, as a multiple of the wall time of starting the language's interpreter for nothing: a
 * bare `python3 -I -c pass` (the interpreter itself, not a shim in front of it) or `node -e 0`, without variables such
 * as NODE_EXTRA_CA_CERTS, which can triple it. Bare starts and verdicts alternate, so that other load affects both.
 * If the HumanEvalPack rows are missing, the bundled tasks are used.
 */
interface Bench {
  readonly name: string;
  readonly language: Language;
  /** Maximum ratio of one verdict and of a whole run; null for no limit. */
  readonly goal: number | null;
  create(): Promise<Sandbox>;
}

const benches: readonly Bench[] = [
  ...(['bubblewrap', 'namespaces', 'ulimit'] as const).map(isolation => ({
    name: `Python, ${isolation}`,
    language: 'python' as const,
    goal: 0.8,
    create: () => createPythonSandbox({ isolation }),
  })),
  { name: 'JavaScript', language: 'js', goal: null, create: () => createJavaScriptSandbox() },
  { name: 'Python, docker', language: 'python', goal: 3, create: createDocker },
];

const rounds = 20;
const inFlight = 2;
/** A pause before each measured step, in which the pool refills as it does while a model writes. */
const restMilliseconds = 200;

test.each(benches)('$name', async ({ name, language, goal, create }) => {
  const tasks = await loadTasks(language);
  const sandbox = await create().catch((error: Error) => error);
  if (sandbox instanceof Error) {
    console.log(`${name}: skipped, ${sandbox.message}`);
    return;
  }
  const bareCommand = await bareCommandOf(language);
  const startBare = () => startAndWait(bareCommand);
  try {
    const bare: number[] = [];
    const single: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await pause(restMilliseconds);
      bare.push(await milliseconds(startBare));
      await pause(restMilliseconds);
      single.push(await milliseconds(() => judge(sandbox, tasks[round % tasks.length])));
    }
    const whole = (await milliseconds(() => judgeAll(sandbox, tasks))) / tasks.length;
    for (let round = 0; round < rounds; round++) bare.push(await milliseconds(startBare));
    const base = median(bare) ?? 0;
    console.log(`${name}: bare ${bareCommand.join(' ')} ${base.toFixed(1)} ms`);
    console.log(`  one verdict ${figure(median(single) ?? 0, base, goal)}`);
    console.log(`  ${tasks.length} canonical solutions, ${inFlight} in flight ${figure(whole, base, goal)}`);
  } finally {
    await sandbox.close();
  }
});

async function loadTasks(language: Language): Promise<readonly Task[]> {
  const rows = sharedData(`humanevalpack/${language}.even.jsonl.gz`);
  const { tasks } = await loadDataset(rows ?? (language === 'js' ? 'mini-js' : 'mini'), { language });
  return tasks;
}

async function judge(sandbox: Sandbox, task: Task | undefined): Promise<void> {
  if (!task) throw new Error('the data set is empty');
  const { language, canonical, tests, entryPoint, declaration } = task;
  const { verdict } = await sandbox.execute({
    language,
    candidate: canonical,
    tests,
    entryPoint,
    declaration,
  });
  if (verdict.kind !== 'passed') throw new Error(`${task.id}: ${verdict.message}`);
}

async function judgeAll(sandbox: Sandbox, tasks: readonly Task[]): Promise<void> {
  const waiting = [...tasks];
  const worker = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await judge(sandbox, task);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function createDocker(): Promise<Sandbox> {
  const { what, isThere, variables } = findDocker();
  if (!isThere) throw new Error(`This needs ${what}.`);
  Object.assign(process.env, variables);
  return createDockerSandbox();
}

async function bareCommandOf(language: Language): Promise<readonly [string, ...string[]]> {
  if (language === 'js') return [process.execPath, '-e', '0'];
  return [(await preparePython()).executable, '-I', '-c', 'pass'];
}

function startAndWait([file, ...args]: readonly [string, ...string[]]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'ignore', env: {} });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

async function milliseconds(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

function figure(each: number, base: number, goal: number | null): string {
  const ratio = each / base;
  const outcome = goal === null ? '' : ` (goal ${goal}: ${ratio <= goal ? 'met' : 'missed'})`;
  return `${each.toFixed(1)} ms each, ratio ${ratio.toFixed(2)}${outcome}`;
}
