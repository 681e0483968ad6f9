import { constants } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { z } from 'zod';
import {
  type Attempt,
  attemptSchema,
  type Node,
  nodes,
  type Step,
  searchSchema,
  stepSchema,
  type TaskOutcome,
  tokensSchema,
} from './attempt.ts';
import { type AgentName, agentNames, feedbacks, protocols } from './choices.ts';
import { firstCandidatePassed } from './judged-iterations.ts';
import { roundedSeconds, sumOf } from './numbers.ts';
import { judgeKinds, type RequestedJudge } from './ports.ts';
import { bugTypes, languages, type Task } from './task.ts';
import { amount, count, flag, isolationLevels, positive, text, verdictSchema, whole } from './verdict.ts';

/**
 * How a candidate that passed compares with the task's reference on generated inputs. The tests decide whether a task
 * is solved; this is a separate figure.
 */
export const robustSchema = z.object({
  tried: count('inputs that both programs were called with; 0 if they could not be compared'),
  different: count('inputs on which they did not do the same'),
  unchecked: text('why they could not be compared, a phrase; absent if they were').optional(),
  first: z
    .object({
      call: text('the call'),
      expected: text('what the reference did'),
      actual: text('what the solution did'),
    })
    .optional()
    .describe('the shortest of the inputs that tell them apart'),
});
export type Robust = z.infer<typeof robustSchema>;

/**
 * Incremented when readers of the format before could not read the new one. Unknown fields are ignored.
 */
export const recordFormat = 3;

const agreeingSchema = z.object({
  programs: positive('candidates that agree, at most 12; the final answer is one of them'),
  behaviours: positive('different behaviours that they have on generated inputs'),
});
export type Agreeing = z.infer<typeof agreeingSchema>;

/** One line of a results file: everything about one run of the agent on one task. */
export const recordSchema = z.object({
  format: z.literal(recordFormat).describe('version of this format'),
  task_id: z.string().min(1).describe('id of the task'),
  index: count(
    "the task's 0-based position in its dataset; records are written in the order in which tasks finish",
  ),
  sample: count('0-based index among the independent runs of the task'),
  model: text('name of the model, or `--name` of scored samples; absent in older records').optional(),
  agent: z
    .enum(agentNames)
    .nullable()
    .optional()
    .describe('`--agent`; null for samples that were only scored, absent in older records'),
  temperature: amount(
    '`--temperature`, that of the draft; null for samples that were only scored, absent in older records',
  )
    .nullable()
    .optional(),
  language: z.enum(languages).describe('as in the dataset'),
  entry_point: text('as in the dataset'),
  bug_type: z.enum(bugTypes).nullable().describe('as in the dataset; null if it has none'),
  passed: flag(
    'whether the hidden tests passed, with `--judge proven` only if that is proven; null if the model or the sandbox failed, see `error`',
  ).nullable(),
  first_candidate_passed: flag(
    'whether the first candidate that the hidden tests saw passed, or the final one of the agent `search`; null if none was judged, absent in older records',
  )
    .nullable()
    .optional(),
  feedback: z
    .enum(feedbacks)
    .default('tests')
    .describe(
      "`--feedback`: what the agent saw between attempts, and so where the attempts' verdicts come from",
    ),
  prompt: z
    .enum(['agent', ...protocols])
    .default('agent')
    .describe('`--prompt`: `agent`, or the published protocol'),
  template: text('`--template`: the format of a published prompt').optional(),
  verdict: verdictSchema
    .nullable()
    .describe(
      "the hidden tests' verdict on the last candidate, or why it could not be run; null if nothing was judged",
    ),
  example_verdict: verdictSchema
    .nullable()
    .default(null)
    .describe(
      "the verdict of the docstring's examples on the same candidate; null unless they were the feedback",
    ),
  judge: z
    .enum(judgeKinds)
    .default('proven')
    .describe(
      'how `verdict` was reached: `proven` (two processes that exchange plain data) or `isolated` (one process, where a candidate could forge its pass)',
    ),
  error: z
    .object({
      code: text('the [error code](troubleshooting.md#errors)'),
      message: text('what went wrong'),
    })
    .nullable()
    .describe('set if the model or the sandbox failed'),
  exit_code: whole(
    "0 if the tests passed, 1 if not, the candidate's own status if it ended the process, 128 + N if signal N ended it; null if nothing was judged",
  ).nullable(),
  stdout: text('what the last judged candidate printed, shortened'),
  stderr: text('what it printed to stderr, shortened'),
  runtime_sec: amount("seconds from the task's start to its end"),
  iters: count(
    'repair iterations begun; 0 if the draft decided; with the agent `search` and `--feedback tests`, the number of candidates before the last one',
  ),
  timings_sec: z
    .object({
      proposal: amount(
        "on the model's drafts; all proposals of the agent `react`, and rankings of the agent `search`",
      ),
      execution: amount('in the sandbox'),
      reflection: amount("on the model's repairs; the diagnoses of the agent `react`"),
    })
    .describe('seconds spent'),
  token_usage: tokensSchema
    .extend({ nodes: z.partialRecord(z.enum(nodes), tokensSchema).describe('the same by node') })
    .describe('tokens in total'),
  cached: tokensSchema
    .extend({ replies: positive('number of answers from the cache') })
    .optional()
    .describe('the part of the tokens that came from `--cache`; absent if there is none'),
  search: searchSchema.optional().describe('how the agent `search` found `fixed`; absent for other agents'),
  buggy: text('the program with the bug'),
  fixed: text(
    'the final candidate; it passed if `passed`; null if no completion contained a function',
  ).nullable(),
  diff: text('unified diff from `buggy` to `fixed`; empty without `fixed`'),
  attempts: z.array(attemptSchema).describe('every attempt'),
  path: z.array(z.string()).describe('the states visited'),
  steps: z
    .array(stepSchema)
    .optional()
    .describe('the states of `path` with their times and counts; absent in older records'),
  agreeing: agreeingSchema
    .optional()
    .describe(
      'with `--feedback examples`: the candidates that agree with all that is known; absent if unknown',
    ),
  robust: robustSchema
    .optional()
    .describe('with `--robust`, of a solved task: how it compares with the reference on generated inputs'),
  isolation: z.enum(isolationLevels).describe('the [isolation level](sandbox.md#isolation-levels)'),
});
export type RunRecord = z.infer<typeof recordSchema>;

/** What a record says about its run, so that records of several runs can be joined in one table. */
export interface RecordSettings {
  readonly model: string;
  readonly agent: AgentName | null;
  readonly temperature: number | null;
}

export interface TaskRun {
  readonly task: Task;
  readonly index: number;
  readonly sample: number;
  readonly outcome: TaskOutcome;
  readonly settings: RecordSettings;
  readonly isolation: RunRecord['isolation'];
  readonly seconds: number;
  readonly cached: Required<RunRecord>['cached'] | null;
  readonly judge?: RequestedJudge | undefined;
}

export function recordOf(run: TaskRun): RunRecord {
  const { task, index, sample, outcome, settings, isolation, seconds, cached } = run;
  const { attempts, score, feedback = 'tests' } = outcome;
  const { verdict, judge, output } = finalJudgement(outcome);
  const fixed =
    score?.candidate ?? attempts.findLast(({ candidate }) => candidate !== null)?.candidate ?? null;
  const isCounted = run.judge !== 'proven' || judge === 'proven';
  const passed = outcome.state === 'error' ? null : outcome.state === 'solved' && isCounted;
  const iters = attempts.at(-1)?.iteration ?? 0;
  const { search } = outcome;
  return {
    format: recordFormat,
    task_id: task.id,
    index,
    sample,
    ...settings,
    language: task.language,
    entry_point: task.entryPoint,
    bug_type: task.bugType,
    passed,
    first_candidate_passed: firstCandidatePassed({ passed, feedback, attempts, iters, search }),
    feedback,
    prompt: outcome.protocol ?? 'agent',
    ...(outcome.template ? { template: outcome.template } : {}),
    verdict,
    example_verdict: feedback === 'examples' && score ? exampleVerdict(attempts, score.candidate) : null,
    judge,
    error: outcome.cause && { ...outcome.cause },
    exit_code: exitCodeOf(verdict, output?.exit_code),
    stdout: output?.stdout ?? '',
    stderr: output?.stderr ?? '',
    runtime_sec: roundedSeconds(seconds),
    iters,
    timings_sec: {
      proposal: roundedSeconds(
        sumOf(attempts, attempt => (isProposal(attempt) ? attempt.seconds.proposal : 0)),
      ),
      execution: roundedSeconds(
        sumOf(attempts, attempt => attempt.seconds.execution) + (score?.seconds ?? 0),
      ),
      reflection: roundedSeconds(
        sumOf(
          attempts,
          attempt => (isProposal(attempt) ? 0 : attempt.seconds.proposal) + (attempt.diagnosis?.seconds ?? 0),
        ),
      ),
    },
    token_usage: { ...tokensOf(attempts), nodes: tokensByNode(attempts) },
    ...(cached ? { cached } : {}),
    ...(search ? { search } : {}),
    buggy: task.buggy,
    fixed,
    diff: fixed === null ? '' : unifiedDiff(task.buggy, fixed),
    attempts: [...attempts],
    path: [...outcome.path],
    ...(outcome.steps && { steps: outcome.steps.map(roundedStep) }),
    isolation,
  };
}

function roundedStep(step: Step): Step {
  const { seconds, busy_seconds: busy } = step;
  const rounded = { ...step, seconds: roundedSeconds(seconds) };
  return busy === undefined ? rounded : { ...rounded, busy_seconds: roundedSeconds(busy) };
}

/**
 * The part that the seed determines: the record without its times, without cache hits, and without counts of assertions,
 * for which there is a time limit; without what repeats the manifest or follows from other fields, since older records
 * do not have it.
 */
export function withoutTimes(record: RunRecord): unknown {
  const { attempts, steps, ...rest } = record;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([field]) => !leftOut.has(field))),
    ...(steps && { steps: steps.map(({ seconds: _, busy_seconds: __, ...step }) => step) }),
    attempts: attempts.map(({ seconds: _, counts: __, diagnosis, ...attempt }) => {
      if (!diagnosis) return attempt;
      const { seconds: ___, ...said } = diagnosis;
      return { ...attempt, diagnosis: said };
    }),
  };
}

const leftOut: ReadonlySet<string> = new Set([
  ...(['runtime_sec', 'timings_sec', 'cached'] satisfies (keyof RunRecord)[]),
  ...(['model', 'agent', 'temperature', 'first_candidate_passed'] satisfies (keyof RunRecord)[]),
]);

/** The fields in which two records of the same task and sample differ, except for times. */
export function differingFields(before: RunRecord, now: RunRecord): string[] {
  const [former, current] = [before, now].map(
    record => new Map(Object.entries(Object(withoutTimes(record)))),
  );
  const fields = new Set([...(former?.keys() ?? []), ...(current?.keys() ?? [])]);
  return [...fields].filter(field => !isDeepStrictEqual(former?.get(field), current?.get(field)));
}

/**
 * The exit status of a shell's convention for a verdict: that of the candidate if it ended the process. A candidate that
 * exits with status 0 before the tests are done did not pass, so this is 1.
 */
export function exitCodeOf(
  verdict: Attempt['verdict'] | undefined,
  processStatus: number | null | undefined,
): number | null {
  if (!verdict) return null;
  if (verdict.kind === 'passed') return 0;
  if (processStatus) return processStatus;
  return verdict.kind === 'timeout' || verdict.kind === 'memory' ? 128 + constants.signals.SIGKILL : 1;
}

/** What the hidden tests, or those that the agent may see, said last; a repeated candidate was not run again. */
function finalJudgement({ attempts, score, feedback = 'tests', cause }: TaskOutcome) {
  const isCutShort = cause !== null && feedback !== 'tests';
  const judged = score ?? (isCutShort ? undefined : attempts.at(-1));
  const ran = score ?? attempts.find(attempt => attempt.candidate === judged?.candidate);
  return { verdict: judged?.verdict ?? null, judge: ran?.judge ?? 'proven', output: ran?.output };
}

/** A reflection of the agent `react` contains no code; all its proposals count. */
function isProposal({ node }: Attempt): boolean {
  return node === 'draft' || node === 'propose' || node === 'search';
}

function exampleVerdict(attempts: readonly Attempt[], candidate: string): Attempt['verdict'] {
  return attempts.findLast(attempt => attempt.candidate === candidate)?.verdict ?? null;
}

/** With three lines of context; `names` are those in its header. */
export function unifiedDiff(
  before: string,
  after: string,
  names: readonly [string, string] = ['buggy', 'fixed'],
): string {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(names[0], names[1], before, after, undefined, undefined, options);
}

function tokensByNode(attempts: readonly Attempt[]): RunRecord['token_usage']['nodes'] {
  const all = spending(attempts);
  const used = nodes.filter(node => all.some(spent => spent.node === node));
  return Object.fromEntries(used.map(node => [node, added(all.filter(spent => spent.node === node))]));
}

function tokensOf(attempts: readonly Attempt[]): Tokens {
  return added(spending(attempts));
}

type Tokens = z.infer<typeof tokensSchema>;

function spending(attempts: readonly Attempt[]): { readonly node: Node; readonly tokens: Tokens }[] {
  return attempts.flatMap(({ node, tokens, diagnosis }) => [
    { node, tokens },
    ...(diagnosis ? [{ node: 'reflect' as const, tokens: diagnosis.tokens }] : []),
  ]);
}

function added(all: readonly { readonly tokens: Tokens }[]): Tokens {
  const drafted = sumOf(all, ({ tokens }) => tokens.drafted ?? 0);
  const accepted = sumOf(all, ({ tokens }) => tokens.accepted ?? 0);
  return {
    prompt: sumOf(all, ({ tokens }) => tokens.prompt),
    completion: sumOf(all, ({ tokens }) => tokens.completion),
    ...(drafted > 0 && { drafted, accepted }),
  };
}

/** Identifies a record within its file. */
export function keyOf(taskId: string, sample: number): string {
  return JSON.stringify([taskId, sample]);
}

/** `Python/3`, and `Python/3#2` for its third sample. */
export function jobName(taskId: string, sample: number): string {
  return sample === 0 ? taskId : `${taskId}#${sample}`;
}
