import { HefixError } from '../lib/core/errors.ts';
import { joinSignals } from '../lib/core/join-signals.ts';
import type { Sandbox } from '../lib/core/ports.ts';
import type { Task } from '../lib/core/task.ts';
import type { Dataset } from './load.ts';

export interface VerifyOptions {
  /** Tasks in flight. */
  readonly workers?: number;
  /** Called as each task ends. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface VerifyProblem {
  readonly taskId: string;
  readonly fault: 'canonical fails' | 'buggy passes' | 'tests at fault';
  /** One sentence: the verdict's, or what is wrong with the tests. */
  readonly message: string;
}

export interface VerifyReport {
  readonly canonical: { readonly passed: number; readonly total: number };
  readonly buggy: { readonly passed: number; readonly total: number };
  /** In the order of the tasks. */
  readonly problems: readonly VerifyProblem[];
}

/**
 * Runs every canonical and every buggy solution of a task set: in a sound one all of the former pass and none of
 * the latter. Rejects with the sandbox's HefixError if it fails, or with the signal's reason.
 */
export async function verifyDataset(
  dataset: Pick<Dataset, 'tasks'>,
  sandbox: Sandbox,
  { workers = 1, onProgress, signal }: VerifyOptions = {},
): Promise<VerifyReport> {
  const { tasks } = dataset;
  const found: TaskResult[] = [];
  let next = 0;
  let done = 0;
  const stop = new AbortController();
  const ended = joinSignals(signal, stop.signal);
  const work = async () => {
    while (next < tasks.length) {
      const index = next++;
      const task = tasks[index];
      if (task) found[index] = await verifyTask(task, sandbox, ended.signal);
      onProgress?.(++done, tasks.length);
    }
  };
  await Promise.all(
    Array.from({ length: Math.max(1, workers) }, () =>
      work().catch((cause: unknown) => {
        stop.abort(cause);
        throw cause;
      }),
    ),
  ).finally(ended.release);
  return {
    canonical: { passed: found.filter(result => result.canonicalPassed).length, total: tasks.length },
    buggy: { passed: found.filter(result => result.buggyPassed).length, total: tasks.length },
    problems: found.flatMap(result => result.problems),
  };
}

interface TaskResult {
  readonly canonicalPassed: boolean;
  readonly buggyPassed: boolean;
  readonly problems: readonly VerifyProblem[];
}

async function verifyTask(task: Task, sandbox: Sandbox, signal: AbortSignal): Promise<TaskResult> {
  const { id: taskId, language, tests, entryPoint, declaration } = task;
  try {
    const judge = async (candidate: string) => {
      signal.throwIfAborted();
      const request = { language, candidate, tests, entryPoint, declaration };
      return (await sandbox.execute(request, signal)).verdict;
    };
    const canonical = await judge(task.canonical);
    const buggy = await judge(task.buggy);
    const problems: VerifyProblem[] = [];
    if (canonical.kind !== 'passed')
      problems.push({ taskId, fault: 'canonical fails', message: canonical.message });
    if (buggy.kind === 'passed') problems.push({ taskId, fault: 'buggy passes', message: buggy.message });
    return { canonicalPassed: canonical.kind === 'passed', buggyPassed: buggy.kind === 'passed', problems };
  } catch (cause) {
    if (!(cause instanceof HefixError) || cause.code !== 'TESTS_INVALID') throw cause;
    const problem: VerifyProblem = { taskId, fault: 'tests at fault', message: cause.message };
    return { canonicalPassed: false, buggyPassed: false, problems: [problem] };
  }
}
