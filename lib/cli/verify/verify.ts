import { availableParallelism } from 'node:os';
import { execa } from 'execa';
import { type Closable, closingAll } from '../../core/async.ts';
import { HefixError, reason } from '../../core/errors.ts';
import type { VerifyOptions } from '../../options/tables/command-options.ts';
import { openDataset, openSandbox } from '../../run/open-parts.ts';
import { selectTasks } from '../../run/plan.ts';
import type { Distribute } from '../../run/run.ts';
import {
  judgeSolutions,
  provenPasses,
  type TaskVerdicts,
  type VerdictChange,
  type VerifyReport,
  verdictChanges,
  verifyReport,
} from '../../run/score/verify-dataset.ts';
import type { VerifyContext } from './verify-queue.ts';

/**
 * Counts and problems are those of the first repetition, which uses the same hash seed as all other commands.
 */
export interface VerifyResult extends VerifyReport {
  readonly dataset: { readonly name: string; readonly fingerprint: string };
  /**
   * Every canonical solution passes and no buggy one; in the set `bogus`, whose tests cannot pass, neither
   * does. Null if that is not known because of an interruption.
   */
  readonly sound: boolean | null;
  /** How many canonical solutions pass by a verdict that cannot be forged. */
  readonly proven: number;
  /** How often every solution was judged. */
  readonly repeat: number;
  /** Solutions whose verdict was not the same every time, in the order of the tasks. */
  readonly changes: readonly VerdictChange[];
  /** Set if it was interrupted: the repetition that ran, 1-based, and the number of tasks. */
  readonly interrupted?: { readonly repetition: number; readonly tasks: number };
}

/**
 * Runs the canonical and buggy solutions of a dataset through the sandbox, `repeat` times, each time in a new
 * sandbox with another hash seed for Python candidates. If interrupted, resolves with what was verified by then, and
 * rejects with the signal's reason if that is nothing.
 */
export async function verify(
  options: VerifyOptions,
  onProgress: (done: number, total: number, repetition: number) => void,
  context: VerifyContext,
): Promise<VerifyResult> {
  const { name, fingerprint, tasks } = await openDataset(options, context);
  const { signal, warn = () => {}, openSandbox: open = openSandbox } = context;
  const chosen = selectTasks(tasks, options, name);
  const unsolved = chosen.find(({ canonical }) => canonical === '');
  if (unsolved) throw solutionMissing(name, unsolved.id);
  const { workers, repeat, load } = options;
  const warnOfClose = (error: unknown) => warn(`The sandbox could not be closed: ${reason(error)}.`);

  /** The verdicts of each repetition by the task's index. */
  const repetitions: TaskVerdicts[][] = [];
  const judgeAll = (hashSeed: number) =>
    closingAll(async opened => {
      const sandbox = opened(await open({ ...options, hashSeed }, chosen[0]?.language ?? 'python'));
      if (hashSeed === 0 && sandbox.warning && options.isolation === undefined) warn(sandbox.warning);
      const verdicts: TaskVerdicts[] = [];
      repetitions.push(verdicts);
      await judgeSolutions({ tasks: chosen }, sandbox, {
        workers,
        onProgress: (done, total) => onProgress(done, total, hashSeed + 1),
        onVerdicts(index, verdictsOfTask) {
          verdicts[index] = verdictsOfTask;
        },
        signal,
      });
    }, warnOfClose);

  const judgeHere = async () => {
    await closingAll(async opened => {
      if (load) opened(startProcessorLoad());
      while (repetitions.length < repeat) await judgeAll(repetitions.length);
    }, warnOfClose);
  };
  const judgeThere = async (distribute: Distribute) => {
    const { judgeOverQueue } = await import('./verify-queue.ts');
    const onJudged = (done: number, total: number) => onProgress(done, total, repeat);
    repetitions.push(...(await judgeOverQueue(chosen, options, distribute, { ...context, onJudged })));
  };
  const { distribute } = context;
  let isInterrupted = false;
  await (distribute ? judgeThere(distribute) : judgeHere()).catch(error => {
    isInterrupted = signal.aborted && repetitions.flat().length > 0;
    if (!isInterrupted) throw error;
  });
  const first = (repetitions[0] ?? []).flat();
  const report = verifyReport(first);
  const counts = { proven: provenPasses(first), repeat, changes: verdictChanges(repetitions) };
  const result = { dataset: { name, fingerprint }, ...report, ...counts };
  if (!isInterrupted) return { ...result, sound: isSound(name, report) };
  return {
    ...result,
    sound: null,
    interrupted: { repetition: repetitions.length, tasks: chosen.length },
  };
}

function isSound(dataset: string, { problems, canonical, buggy }: VerifyReport): boolean {
  if (dataset !== 'bogus') return problems.length === 0;
  return canonical.passed === 0 && buggy.passed === 0 && problems.every(isRefused);
}

function isRefused({ fault }: VerifyReport['problems'][number]): boolean {
  return fault === 'canonical fails';
}

/**
 * Spins in short slices and checks in between whether its input was closed, as happens when its parent dies.
 */
const program = `process.stdin.on('end', () => process.exit()).on('error', () => process.exit()).resume();
const spin = () => {
  const end = Date.now() + 50;
  while (Date.now() < end);
  setImmediate(spin);
};
spin();`;

interface ProcessorLoad extends Closable {
  readonly pids: readonly number[];
}

/** Keeps every core busy, with one child process each, until it is closed or this process ends. */
export function startProcessorLoad(cores = availableParallelism()): ProcessorLoad {
  const children = Array.from({ length: cores }, () =>
    // A child that cannot be started is ignored.
    execa(process.execPath, ['-e', program], { cwd: '/', stdout: 'ignore', stderr: 'ignore', reject: false }),
  );
  return {
    pids: children.flatMap(({ pid }) => pid ?? []),
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children);
    },
  };
}

function solutionMissing(dataset: string, taskId: string): HefixError {
  return new HefixError(
    'DATASET_COLUMN_MISSING',
    `${dataset} has no canonical_solution for ${taskId}.`,
    'verify needs the correct solution of every task; --columns canonical_solution=… names its column.',
  );
}
