import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { z } from 'zod';
import { type Attempt, attemptSchema, nodes, type TaskOutcome } from '../attempt.ts';
import type { Execution } from '../ports.ts';
import { bugTypes, languages, type Task } from '../task.ts';
import { isolationLevels, verdictSchema } from '../verdict.ts';

/** Raised when a reader of the former format could no longer read the new one. */
export const recordFormat = 1;

const tokensSchema = z.strictObject({
  prompt: z.number().int().nonnegative(),
  completion: z.number().int().nonnegative(),
});

/** One line of a results file: all that is known about one run of the agent on one task. */
export const recordSchema = z.strictObject({
  format: z.literal(recordFormat),
  task_id: z.string().min(1),
  /** The task's place in its dataset, 0-based: records stand in the order in which their tasks ended. */
  index: z.number().int().nonnegative(),
  /** Which of the independent runs of this task; 0-based. */
  sample: z.number().int().nonnegative(),
  language: z.enum(languages),
  entry_point: z.string(),
  bug_type: z.enum(bugTypes).nullable(),
  /** Null if the task was not judged: the model or the sandbox broke, and `error` says how. */
  passed: z.boolean().nullable(),
  /** Of the last attempt; null if there was none. */
  verdict: verdictSchema.nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** Of the last candidate's process; null if it did not run or a signal ended it. */
  exit_code: z.number().int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  /** Seconds from the task's start to its end. */
  runtime_sec: z.number().nonnegative(),
  /** Repair iterations begun; 0 if the draft decided. */
  iters: z.number().int().nonnegative(),
  /** Seconds in the model's drafts, in the sandbox, and in the model's repairs. */
  timings_sec: z.strictObject({
    proposal: z.number().nonnegative(),
    execution: z.number().nonnegative(),
    reflection: z.number().nonnegative(),
  }),
  token_usage: tokensSchema.extend({ nodes: z.partialRecord(z.enum(nodes), tokensSchema) }),
  /** Answers among these that were kept from earlier requests and cost nothing; absent if there are none. */
  cached: tokensSchema.extend({ replies: z.number().int().positive() }).optional(),
  buggy: z.string(),
  /** The last candidate, which passed if `passed`; null if no completion held a function. */
  fixed: z.string().nullable(),
  /** Unified, from `buggy` to `fixed`; empty without `fixed`. */
  diff: z.string(),
  attempts: z.array(attemptSchema),
  path: z.array(z.string()),
  isolation: z.enum(isolationLevels),
});
export type RunRecord = z.infer<typeof recordSchema>;

export interface TaskRun {
  readonly task: Task;
  readonly index: number;
  readonly sample: number;
  readonly outcome: TaskOutcome;
  /** What the sandbox gave for each candidate that it ran. */
  readonly executions: ReadonlyMap<string, Execution>;
  readonly isolation: RunRecord['isolation'];
  readonly seconds: number;
  readonly cached: Required<RunRecord>['cached'] | null;
}

export function recordOf({
  task,
  index,
  sample,
  outcome,
  executions,
  isolation,
  seconds,
  cached,
}: TaskRun): RunRecord {
  const { attempts } = outcome;
  const last = attempts.at(-1);
  const fixed = attempts.findLast(attempt => attempt.candidate !== null)?.candidate ?? null;
  const execution = last?.candidate == null ? undefined : executions.get(last.candidate);
  return {
    format: recordFormat,
    task_id: task.id,
    index,
    sample,
    language: task.language,
    entry_point: task.entryPoint,
    bug_type: task.bugType,
    passed: outcome.state === 'broken' ? null : outcome.state === 'solved',
    verdict: last?.verdict ?? null,
    error: outcome.cause && { ...outcome.cause },
    exit_code: execution?.exitCode ?? null,
    stdout: execution?.stdout ?? '',
    stderr: execution?.stderr ?? '',
    runtime_sec: rounded(seconds),
    iters: last?.iteration ?? 0,
    timings_sec: {
      proposal: rounded(sum(attempts, attempt => (attempt.node === 'draft' ? attempt.seconds.proposal : 0))),
      execution: rounded(sum(attempts, attempt => attempt.seconds.execution)),
      reflection: rounded(
        sum(attempts, attempt => (attempt.node === 'draft' ? 0 : attempt.seconds.proposal)),
      ),
    },
    token_usage: { ...tokensOf(attempts), nodes: tokensByNode(attempts) },
    ...(cached ? { cached } : {}),
    buggy: task.buggy,
    fixed,
    diff: fixed === null ? '' : unifiedDiff(task.buggy, fixed),
    attempts: [...attempts],
    path: [...outcome.path],
    isolation,
  };
}

/** The part that the seed decides: the record without its times, and without what earlier runs had kept. */
export function withoutTimes(record: RunRecord): unknown {
  const { runtime_sec: _, timings_sec: __, cached: ___, attempts, ...rest } = record;
  return { ...rest, attempts: attempts.map(({ seconds: _, ...attempt }) => attempt) };
}

function unifiedDiff(buggy: string, fixed: string): string {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch('buggy', 'fixed', buggy, fixed, undefined, undefined, options);
}

function tokensByNode(attempts: readonly Attempt[]): RunRecord['token_usage']['nodes'] {
  const used = nodes.filter(node => attempts.some(attempt => attempt.node === node));
  return Object.fromEntries(
    used.map(node => [node, tokensOf(attempts.filter(attempt => attempt.node === node))]),
  );
}

function tokensOf(attempts: readonly Attempt[]): { prompt: number; completion: number } {
  return {
    prompt: sum(attempts, attempt => attempt.tokens.prompt),
    completion: sum(attempts, attempt => attempt.tokens.completion),
  };
}

function sum(attempts: readonly Attempt[], value: (attempt: Attempt) => number): number {
  return attempts.reduce((total, attempt) => total + value(attempt), 0);
}

/** Milliseconds are as fine as a clock's noise. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
