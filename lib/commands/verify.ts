import { type VerdictChange, verdictChanges } from '../../dataset/verdict-changes.ts';
import { judgeSolutions, type TaskVerdicts, type VerifyReport, verifyReport } from '../../dataset/verify.ts';
import { closingAll } from '../core/close-all.ts';
import { reason } from '../core/errors.ts';
import type { VerifyOptions } from '../options/command-options.ts';
import { openDataset } from '../run/open-dataset.ts';
import { openSandbox } from '../run/open-sandbox.ts';
import type { Distribute } from '../run/run.ts';
import { selectTasks } from '../run/select-tasks.ts';
import { startProcessorLoad } from './processor-load.ts';
import type { VerifyContext } from './verify-context.ts';

/**
 * Counts and problems are those of the first repetition, which uses the same hash seed as all other commands.
 */
export interface VerifyResult extends VerifyReport {
  readonly dataset: { readonly name: string; readonly fingerprint: string };
  /**
   * Every canonical solution passes and no buggy one; in the set `bogus`, whose tests cannot pass, neither
   * does.
   */
  readonly sound: boolean;
  /** How often every solution was judged. */
  readonly repeat: number;
  /** Solutions whose verdict was not the same every time, in the order of the tasks. */
  readonly changes: readonly VerdictChange[];
}

/**
 * Runs the canonical and buggy solutions of a dataset through the sandbox, `repeat` times, each time in a new
 * sandbox with another hash seed for Python candidates.
 */
export async function verify(
  options: VerifyOptions,
  onProgress: (done: number, total: number, repetition: number) => void,
  context: VerifyContext,
): Promise<VerifyResult> {
  const { name, fingerprint, tasks } = await openDataset(options, context);
  const { signal, warn = () => {}, openSandbox: open = openSandbox } = context;
  const chosen = selectTasks(tasks, options, name);
  const { workers, repeat, load } = options;
  const warnOfClose = (error: unknown) => warn(`The sandbox could not be closed: ${reason(error)}.`);

  const judgeAll = (hashSeed: number) =>
    closingAll(async opened => {
      const sandbox = opened(await open({ ...options, hashSeed }, chosen[0]?.language ?? 'python'));
      if (hashSeed === 0 && sandbox.warning && options.isolation === undefined) warn(sandbox.warning);
      const report = (done: number, total: number) => onProgress(done, total, hashSeed + 1);
      return await judgeSolutions({ tasks: chosen }, sandbox, { workers, onProgress: report, signal });
    }, warnOfClose);

  const judgeHere = () =>
    closingAll(async opened => {
      if (load) opened(startProcessorLoad());
      const found: TaskVerdicts[][] = [];
      while (found.length < repeat) found.push(await judgeAll(found.length));
      return found;
    }, warnOfClose);
  const judgeThere = async (distribute: Distribute) => {
    const { judgeOverQueue } = await import('./verify-queue.ts');
    const onJudged = (done: number, total: number) => onProgress(done, total, repeat);
    return await judgeOverQueue(chosen, options, distribute, { ...context, onJudged });
  };
  const { distribute } = context;
  const repetitions = await (distribute ? judgeThere(distribute) : judgeHere());
  const report = verifyReport(repetitions[0] ?? []);
  const changes = verdictChanges(repetitions);
  return { dataset: { name, fingerprint }, ...report, sound: isSound(name, report), repeat, changes };
}

function isSound(dataset: string, { problems, canonical, buggy }: VerifyReport): boolean {
  if (dataset !== 'bogus') return problems.length === 0;
  return canonical.passed === 0 && buggy.passed === 0 && problems.every(isRefused);
}

function isRefused({ fault }: VerifyReport['problems'][number]): boolean {
  return fault === 'canonical fails';
}
