import type { Dataset } from '../../../dataset/load.ts';
import { eachOf } from '../../core/async.ts';
import { HefixError } from '../../core/errors.ts';
import type { JudgeKind, Sandbox } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import type { Verdict } from '../../core/verdict.ts';

export interface VerifyOptions {
  /** Maximum number of concurrent tasks. */
  readonly workers?: number;
  /** Called when a task is done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Receives the verdicts of each task by its index, for a caller that keeps them if it is interrupted. */
  readonly onVerdicts?: (index: number, verdicts: TaskVerdicts) => void;
  readonly signal?: AbortSignal;
}

interface VerifyProblem {
  readonly taskId: string;
  readonly fault: 'canonical fails' | 'buggy passes' | 'invalid tests';
  /** One sentence: the verdict's message, or what is wrong with the tests. */
  readonly message: string;
}

export interface VerifyReport {
  readonly canonical: { readonly passed: number; readonly total: number };
  readonly buggy: { readonly passed: number; readonly total: number };
  /** In the order of the tasks. */
  readonly problems: readonly VerifyProblem[];
}

/** The verdicts on a task's two solutions. */
export interface TaskVerdicts {
  readonly taskId: string;
  readonly canonical: SolutionVerdict;
  readonly buggy: SolutionVerdict;
}

/** `tests-invalid`: the tests were rejected, and no solution was judged. */
export interface SolutionVerdict {
  readonly kind: Verdict['kind'] | 'tests-invalid';
  /** One sentence. */
  readonly message: string;
  /** The judge that gave the verdict; proven if absent. */
  readonly judge?: JudgeKind | undefined;
}

/**
 * Judges every canonical and every buggy solution once, in the order of the tasks. Rejects with the sandbox's HefixError
 * if it fails, or with the signal's reason.
 */
export async function judgeSolutions(
  { tasks }: Pick<Dataset, 'tasks'>,
  sandbox: Sandbox,
  { workers = 1, onProgress, onVerdicts, signal }: VerifyOptions = {},
): Promise<TaskVerdicts[]> {
  const results: TaskVerdicts[] = [];
  let done = 0;
  const judge = async ([index, task]: [number, Task], ended: AbortSignal) => {
    const verdicts = await judgeTask(task, sandbox, ended);
    results[index] = verdicts;
    onVerdicts?.(index, verdicts);
    onProgress?.(++done, tasks.length);
  };
  await eachOf([...tasks.entries()], workers, judge, signal);
  return results;
}

async function judgeTask(task: Task, sandbox: Sandbox, signal: AbortSignal): Promise<TaskVerdicts> {
  const { id: taskId, language, tests, entryPoint, declaration } = task;
  const judge = async (candidate: string) => {
    signal.throwIfAborted();
    const request = { language, candidate, tests, entryPoint, declaration };
    const { verdict, judge: by } = await sandbox.execute(request, signal);
    return { kind: verdict.kind, message: verdict.message, judge: by };
  };
  try {
    return { taskId, canonical: await judge(task.canonical), buggy: await judge(task.buggy) };
  } catch (cause) {
    if (!(cause instanceof HefixError) || cause.code !== 'TESTS_INVALID') throw cause;
    const invalid = { kind: 'tests-invalid', message: cause.message } as const;
    return { taskId, canonical: invalid, buggy: invalid };
  }
}

/** How many canonical solutions pass by a verdict that cannot be forged. */
export function provenPasses(verdicts: readonly TaskVerdicts[]): number {
  return verdicts.filter(({ canonical }) => canonical.kind === 'passed' && canonical.judge !== 'isolated')
    .length;
}

/** The counts, and the tasks' problems: in a sound set all canonical solutions pass and no buggy one. */
export function verifyReport(verdicts: readonly TaskVerdicts[]): VerifyReport {
  const total = verdicts.length;
  const passed = (solution: 'canonical' | 'buggy') =>
    verdicts.filter(entry => entry[solution].kind === 'passed').length;
  return {
    canonical: { passed: passed('canonical'), total },
    buggy: { passed: passed('buggy'), total },
    problems: verdicts.flatMap(problemsOf),
  };
}

function problemsOf({ taskId, canonical, buggy }: TaskVerdicts): VerifyProblem[] {
  if (canonical.kind === 'tests-invalid')
    return [{ taskId, fault: 'invalid tests', message: canonical.message }];
  const problems: VerifyProblem[] = [];
  if (canonical.kind !== 'passed')
    problems.push({ taskId, fault: 'canonical fails', message: canonical.message });
  if (buggy.kind === 'passed') problems.push({ taskId, fault: 'buggy passes', message: buggy.message });
  return problems;
}

/** A solution whose verdict was not the same every time. */
export interface VerdictChange {
  readonly taskId: string;
  readonly solution: 'canonical' | 'buggy';
  /** The kinds of verdict that it got, in order of first occurrence. */
  readonly verdicts: readonly (SolutionVerdict & {
    /** The number of repetitions with each. */
    readonly count: number;
  })[];
}

/** Compares the verdicts of repeated runs by kind; messages may quote a set, whose order varies. */
export function verdictChanges(repetitions: readonly (readonly TaskVerdicts[])[]): VerdictChange[] {
  const [first = []] = repetitions;
  return first.flatMap(({ taskId }, index) =>
    (['canonical', 'buggy'] as const).flatMap(solution => {
      const all = repetitions.flatMap(verdicts => verdicts[index]?.[solution] ?? []);
      const verdicts = counted(all);
      return verdicts.length > 1 ? [{ taskId, solution, verdicts }] : [];
    }),
  );
}

function counted(all: readonly SolutionVerdict[]): VerdictChange['verdicts'] {
  const byKind = new Map<string, VerdictChange['verdicts'][number]>();
  for (const { kind, message } of all) {
    const group = byKind.get(kind) ?? { kind, message, count: 0 };
    byKind.set(kind, { ...group, count: group.count + 1 });
  }
  return [...byKind.values()];
}
