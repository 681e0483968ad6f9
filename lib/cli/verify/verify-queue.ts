import { HefixError } from '../../core/errors.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { RunRecord } from '../../core/record.ts';
import { jobName, keyOf } from '../../core/record.ts';
import type { Task } from '../../core/task.ts';
import { versions } from '../../files/package.ts';
import { parseOptions } from '../../options/option.ts';
import type { VerifyOptions } from '../../options/tables/command-options.ts';
import { completeOptions, type RunOptions, runOptions } from '../../options/tables/run-options.ts';
import type { Manifest } from '../../report/results/manifest.ts';
import { reports } from '../../run/library/run-parts.ts';
import { noModel, scoreParts } from '../../run/library/score-samples.ts';
import { type DatasetContext, type OpenSandbox, openDataset, openSandbox } from '../../run/open-parts.ts';
import { recordsIn } from '../../run/queue/shards/shard.ts';
import { type Distribute, type RunParts, run } from '../../run/run.ts';
import { type RunEvents, silentEvents } from '../../run/run-events.ts';
import { judgeProgram } from '../../run/score/judge-sample.ts';
import type { SolutionVerdict, TaskVerdicts } from '../../run/score/verify-dataset.ts';

/**
 * Judges the solutions on the workers of a queue, as a run that writes records. Resolves with the verdicts of each
 * repetition, in the order of the tasks. Rejects as a run does, or with `SOLUTION_BROKE`.
 */
export async function judgeOverQueue(
  tasks: readonly Task[],
  options: VerifyOptions,
  distribute: Distribute,
  {
    signal,
    openSandbox,
    ...context
  }: VerifyContext & { readonly onJudged: (done: number, total: number) => void },
): Promise<TaskVerdicts[][]> {
  const { repeat } = options;
  const parts = { ...verifyParts(repeat, openSandbox), distribute };
  const clock = { date: () => new Date(), now: () => performance.now() };
  const { records } = await run(runOptionsFor(options), parts, {
    events: countingEvents(context),
    signal,
    clock,
  });
  const verdicts = new Map<string, SolutionVerdict>();
  // Of a unit that had ended in an error, a later session's record comes later.
  for await (const { record } of recordsIn(records)) {
    verdicts.set(keyOf(record.task_id, record.sample), verdictOf(record));
  }
  return Array.from({ length: repeat }, (_, repetition) =>
    tasks.flatMap(({ id: taskId }) => {
      const of = (solution: 'canonical' | 'buggy') =>
        verdicts.get(keyOf(taskId, sampleOf(solution, repetition)));
      const [canonical, buggy] = [of('canonical'), of('buggy')];
      return canonical && buggy ? [{ taskId, canonical, buggy }] : [];
    }),
  );
}

function verdictOf({ task_id, sample, verdict, error, judge }: RunRecord): SolutionVerdict {
  if (error?.code === 'TESTS_INVALID') return { kind: 'tests-invalid', message: error.message };
  if (verdict !== null && error === null)
    return { kind: verdict.kind, message: verdict.message, judge: judge ?? undefined };
  throw solutionBroke(jobName(task_id, sample), error ?? { code: 'unknown', message: 'no verdict' });
}

function runOptionsFor({ load: _, repeat, quiet, workers, ...options }: VerifyOptions): RunOptions {
  const defaults = parseOptions(runOptions, {});
  const solutions = { model: 'solutions', agent: 'one-shot', feedback: 'none', samples: 2 * repeat } as const;
  return completeOptions({ ...defaults, ...options, ...solutions, quiet, workers });
}

function countingEvents({
  warn = () => {},
  onPreparing = () => {},
  onJudged,
}: Pick<VerifyContext, 'warn' | 'onPreparing'> & {
  readonly onJudged: (done: number, total: number) => void;
}): RunEvents {
  const silent = silentEvents();
  let [done, total] = [0, 0];
  return {
    ...silent,
    warned: warn,
    preparing: onPreparing,
    planned(jobs, recorded) {
      [done, total] = [recorded.length, jobs.length];
    },
    started: job => ({ ...silent.started(job), ended: () => onJudged(++done, total) }),
  };
}

export interface VerifyContext extends DatasetContext {
  readonly signal: AbortSignal;
  readonly warn?: (sentence: string) => void;
  /** Opens the sandbox of runs if omitted. */
  readonly openSandbox?: OpenSandbox;
  /** Judges the solutions on the workers of a queue; in this process if omitted. */
  readonly distribute?: Distribute;
}

/** `name`: the task and the sample. */
function solutionBroke(name: string, cause: { code: string; message: string }): HefixError {
  return new HefixError(
    'SOLUTION_BROKE',
    `${name} could not be judged: ${cause.code}: ${cause.message}`,
    'Fix the cause, then run the same command with --out and --resume.',
  );
}

/**
 * The parts of a run that judges the canonical and the buggy solution of each task, `repeat` times; a worker of a queue
 * needs them too. Even samples are canonical solutions.
 */
function verifyParts(repeat: number, open: OpenSandbox = openSandbox): RunParts {
  let sandboxFor: (hashSeed: number) => Promise<Sandbox> | undefined = () => undefined;
  return {
    loadDataset: openDataset,
    async openSandbox(options, language) {
      const first = await open({ ...options, hashSeed: 0 }, language);
      const others = new Map<number, Promise<Sandbox>>();
      sandboxFor = hashSeed => {
        if (hashSeed === 0) return undefined;
        const other = others.get(hashSeed) ?? open({ ...options, hashSeed, workers: 0 }, language);
        others.set(hashSeed, other);
        return other;
      };
      return {
        ...first,
        async close() {
          await first.close();
          for (const other of others.values()) await (await other).close();
        },
      };
    },
    createModel: async () => noModel('solutions', `${repeat}`),
    repairTask:
      () =>
      async ({ task, sample, sandbox, signal, onState, onAttempt }) => {
        const solution = sample % 2 === 0 ? 'canonical' : 'buggy';
        onState('execute');
        const outcome = await judgeProgram({
          task,
          sample: { form: 'solution', text: task[solution] },
          sandbox: (await sandboxFor(Math.floor(sample / 2))) ?? sandbox,
          signal,
        });
        outcome.attempts.forEach(onAttempt);
        return outcome;
      },
    scored: { file: 'the solutions of the dataset', repeat, countOf: () => 2 * repeat },
    reports,
    prompts: 'none',
    versions: versions(),
  };
}

/** The sample that is a solution's n-th repetition, which decides the hash seed. */
function sampleOf(solution: 'canonical' | 'buggy', repetition: number): number {
  return 2 * repetition + (solution === 'canonical' ? 0 : 1);
}

/** The parts of a run that asks no model, as its manifest describes it. `file`: where the samples are on this machine. */
export async function scoredParts(
  { file: recorded, repeat }: NonNullable<Manifest['scored']>,
  { name }: Manifest['model'],
  file: string | undefined,
  events: Pick<RunEvents, 'warned'>,
): Promise<RunParts> {
  if (repeat !== undefined) return verifyParts(repeat);
  return (await scoreParts(file ?? recorded, name, events)).parts;
}
