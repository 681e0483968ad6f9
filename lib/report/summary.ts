import { repairsOf } from '../core/judged-iterations.ts';
import { median, roundedSeconds, sumOf } from '../core/numbers.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import { bugTypes } from '../core/task.ts';
import { verdictKinds } from '../core/verdict.ts';
import type { Share } from './numbers.ts';
import { type RobustSummary, robustSummary } from './robust.ts';
import {
  type ChosenWith,
  chosenWithIn,
  countsWithin,
  countWithin,
  defaultKs,
  type PassAtK,
  passAtKs,
  shareWithin,
  type TaskRuns,
  taskRunsOf,
} from './task-runs.ts';
import { isChosenByTests, isFromModel, type NodeUse, type SearchUse, searchUse, useByNode } from './usage.ts';

/** Number of runs and tasks, with the share of runs that solved their task. */
export interface Count extends Share {
  readonly tasks: number;
  readonly runs: number;
  readonly solved: number;
}

/** Results within so many repair iterations. */
export interface CurvePoint extends Share {
  readonly iterations: number;
  /** Runs with a result: one that ended in an error counts for the attempts that were judged. */
  readonly runs: number;
  readonly solved: number;
  readonly pass_at_k: readonly PassAtK[];
}

/**
 * The result of the first candidate that the hidden tests saw: the draft, or without test feedback the final candidate.
 */
export interface FirstCandidate extends Share {
  readonly chosen_with: ChosenWith;
  readonly runs: number;
  readonly solved: number;
  /** For several runs per task, by the unbiased estimator. */
  readonly at_k: readonly PassAtK[];
}

/**
 * The figures of a results file. Runs that ended in an error are in `errors`; their judged attempts count in
 * `first_candidate` and `with_test_feedback`.
 */
export interface Summary {
  /** Tasks with at least one judged attempt. */
  readonly tasks: number;
  /** The largest number of such runs of one task. */
  readonly samples: number;
  /** All runs that finished. */
  readonly runs: number;
  readonly solved: number;
  /**
   * Solved runs by how the verdict was reached. A pass in one process, `isolated`, could be forged; with
   * `--judge proven` it is `not_counted` as solved.
   */
  readonly judges: { readonly proven: number; readonly isolated: number; readonly not_counted: number };
  /** Solved runs compared with the references on generated inputs; null if none was. */
  readonly robust: RobustSummary | null;
  /** Null if nothing was judged. */
  readonly first_candidate: FirstCandidate | null;
  /** The share of `first_candidate` if neither tests nor examples were consulted; otherwise null. */
  readonly pass_at_1: Share | null;
  /** Its `at_k` under the same condition; otherwise empty. */
  readonly pass_at_k: readonly PassAtK[];
  /**
   * For runs whose feedback was the docstring's examples, the answers that passed them; null without such
   * runs.
   */
  readonly examples: { readonly passed: number; readonly passed_but_failed_tests: number } | null;
  /**
   * Share of runs solved within each number of repair iterations, with test feedback; the first entry is the
   * first candidate. Empty without such feedback.
   */
  readonly with_test_feedback: readonly CurvePoint[];
  /** Over the runs that solved their task; 0 is the draft. Null if none did. */
  readonly iterations_to_solve: { readonly mean: number; readonly median: number } | null;
  readonly by_bug_type: Readonly<{ [bugType: string]: Count }>;
  /** Null unless the agent was `search`. */
  readonly search: SearchUse | null;
  /**
   * Runs whose last judged attempt failed before the model or the sandbox did; excluded from the figures of
   * later iterations.
   */
  readonly failed_before_error: number;
  /** Verdicts of the last attempts. */
  readonly by_verdict: Readonly<{ [verdict: string]: number }>;
  readonly by_node: Readonly<{ [node: string]: NodeUse }>;
  readonly errors: { readonly runs: number; readonly by_code: Readonly<{ [code: string]: number }> };
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** Answers among these from the reply cache. */
  readonly cached_replies: number;
  /** Cost of the other answers, in the currency of the prices; null without prices. */
  readonly cost: number | null;
  readonly seconds: {
    /** Sum over all tasks, which may have run concurrently. */
    readonly total: number;
    readonly model: number;
    /** Time for enumerating and trying edits without a model. */
    readonly search: number;
    readonly execution: number;
    /** Wall-clock time; null if unknown. */
    readonly elapsed: number | null;
  };
  /** Completion tokens per second of model time; null if there was none. */
  readonly tokens_per_second: number | null;
  /** The longest execution of a candidate that passed; null if none did. */
  readonly slowest_pass_sec: number | null;
  /** Warnings about the figures; whole sentences. */
  readonly warnings: readonly string[];
  /** `agent`, or the published protocols of the prompts. */
  readonly prompts: readonly string[];
}

/** Prices per million tokens. */
export interface Prices {
  readonly prompt: number;
  readonly completion: number;
}

export interface SummaryTerms {
  readonly prices?: Prices | null;
  /** Time limit of an execution in seconds. */
  readonly timeout?: number | undefined;
  /** Wall-clock seconds of the run. */
  readonly elapsed?: number | null;
}

/**
 * Counts, rates with their intervals, and times of runs.
 *
 * ```ts
 * import { readRecords, run, summarise } from 'hefix';
 *
 * await run({ dataset: 'mini', limit: 2, iters: 1, out: 'two.jsonl' });
 * const { solved, runs, with_test_feedback } = summarise((await readRecords('two.jsonl')).records, 1);
 * console.log(`${solved} of ${runs}`, with_test_feedback);
 * ```
 *
 * @param records Of one or more runs.
 * @param iterations The runs' maximum; the curve extends to it even if no run needed it.
 * @param terms What the records do not say.
 */
export function summarise(
  records: readonly RecordFacts[],
  iterations: number,
  { prices = null, timeout, elapsed = null }: SummaryTerms = {},
): Summary {
  const judged = records.filter(record => record.passed !== null);
  const broken = records.filter(record => record.passed === null);
  const tasks = taskRunsOf(records);
  const samples = tasks.reduce((max, { runs }) => Math.max(max, runs.length), 0);
  const ks = defaultKs(samples);
  const isAided = records.some(({ feedback }) => feedback === 'tests');
  /** Without any repair iteration, or without test feedback, the agent saw no test results. */
  const unaided = isAided ? 0 : Number.POSITIVE_INFINITY;
  const chosen = chosenWithIn(records);
  const first = shareWithin(tasks, unaided);
  const atK = passAtKs(tasks, ks, unaided);
  const failedBeforeError = broken.length - runsNotJudged(records, tasks);
  const slowest = slowestPass(records);
  const search = total(records, searchSeconds);
  const model = total(records, r => r.timings_sec.proposal + r.timings_sec.reflection) - search;
  const completion = total(records, r => r.token_usage.completion);
  return {
    tasks: tasks.length,
    samples,
    runs: judged.length,
    solved: judged.filter(record => record.passed).length,
    judges: judgesOf(judged),
    robust: robustSummary(judged),
    first_candidate: first && { chosen_with: chosen, ...countWithin(tasks, unaided), ...first, at_k: atK },
    pass_at_1: chosen === 'nothing' ? first : null,
    pass_at_k: chosen === 'nothing' ? atK : [],
    examples: byExamples(judged),
    with_test_feedback: Array.from({ length: isAided ? iterations + 1 : 0 }, (_, count) => {
      const share = shareWithin(tasks, count);
      if (share === null) return [];
      return [
        { iterations: count, ...countWithin(tasks, count), ...share, pass_at_k: passAtKs(tasks, ks, count) },
      ];
    }).flat(),
    iterations_to_solve: iterationsToSolve(judged),
    failed_before_error: failedBeforeError,
    search: searchUse(judged),
    by_bug_type: byBugType(tasks),
    by_verdict: tally(
      judged.map(record => record.verdict?.kind ?? 'no-code'),
      verdictKinds,
    ),
    by_node: useByNode(records),
    errors: { runs: broken.length, by_code: tally(broken.map(record => record.error?.code ?? 'UNKNOWN')) },
    tokens: { prompt: total(records, r => r.token_usage.prompt), completion },
    cached_replies: total(records, r => r.cached?.replies ?? 0),
    cost: prices && costOf(records, prices),
    seconds: {
      total: total(records, r => r.runtime_sec),
      model: roundedSeconds(model),
      search,
      execution: total(records, r => r.timings_sec.execution),
      elapsed: elapsed === null ? null : roundedSeconds(elapsed),
    },
    tokens_per_second: model < 0.0005 ? null : Math.round((completion / model) * 10) / 10,
    slowest_pass_sec: slowest,
    warnings: warningsOf(records, { slowest, timeout, failedBeforeError, tasks: tasks.length, atK }),
    prompts: [...new Set(records.map(({ prompt }) => prompt))],
  };
}

function judgesOf(judged: readonly RecordFacts[]): Summary['judges'] {
  const solved = judged.filter(({ passed }) => passed);
  const isolated = solved.filter(({ judge }) => judge === 'isolated').length;
  const passes = judged.filter(({ verdict, judge }) => verdict?.kind === 'passed' && judge === 'isolated');
  return {
    proven: solved.length - isolated,
    isolated,
    not_counted: passes.filter(({ passed }) => !passed).length,
  };
}

function iterationsToSolve(judged: readonly RecordFacts[]): Summary['iterations_to_solve'] {
  const taken = judged.filter(({ passed }) => passed).map(repairsOf);
  const middle = median(taken);
  return middle === null ? null : { mean: sumOf(taken, iters => iters) / taken.length, median: middle };
}

/** Includes runs that ended in an error as far as recorded; failed attempts of requests are not included. */
export function costOf(records: readonly RecordFacts[], { prompt, completion }: Prices): number {
  const paid = (kind: 'prompt' | 'completion') =>
    sumOf(records, r => r.token_usage[kind] - (r.cached?.[kind] ?? 0));
  // One token at a price of one costs a millionth.
  return Math.round(paid('prompt') * prompt + paid('completion') * completion) / 1e6;
}

function byExamples(records: readonly RecordFacts[]): Summary['examples'] {
  if (!records.some(({ feedback }) => feedback === 'examples')) return null;
  const passed = records.filter(({ example_verdict }) => example_verdict?.kind === 'passed');
  return { passed: passed.length, passed_but_failed_tests: passed.filter(r => !r.passed).length };
}

function byBugType(tasks: readonly TaskRuns[]): Summary['by_bug_type'] {
  const groups = [...bugTypes, null].flatMap(type => {
    const group = tasks.filter(({ bugType }) => bugType === type);
    const share = shareWithin(group, Number.POSITIVE_INFINITY);
    if (share === null) return [];
    const judged = group.filter(task => countsWithin(task, Number.POSITIVE_INFINITY).runs > 0);
    const counts = countWithin(group, Number.POSITIVE_INFINITY);
    return [[type ?? 'unknown', { tasks: judged.length, ...counts, ...share }] as const];
  });
  return Object.fromEntries(groups);
}

/** Counts values in the given key order; values without a key follow in order of appearance. */
function tally(values: readonly string[], order: readonly string[] = []): { [value: string]: number } {
  const counts = new Map(order.map(value => [value, 0]));
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}

/** Runs without any judged attempt. */
function runsNotJudged(records: readonly RecordFacts[], tasks: readonly TaskRuns[]): number {
  return records.length - sumOf(tasks, ({ runs }) => runs.length);
}

/** Attempts without a prompt were made without the model. */
function searchSeconds({ attempts }: RecordFacts): number {
  const enumerated = attempts.filter(attempt => !isFromModel(attempt));
  return sumOf(enumerated, ({ seconds }) => seconds.proposal);
}

function total(records: readonly RecordFacts[], value: (record: RecordFacts) => number): number {
  return roundedSeconds(sumOf(records, value));
}

/** Input of the warnings that is not part of a record. */
interface WarningFacts {
  /** Seconds of the longest execution that passed. */
  readonly slowest: number | null;
  /** Time limit of an execution in seconds. */
  readonly timeout: number | undefined;
  /** Runs that ended in an error after a judged attempt had failed. */
  readonly failedBeforeError: number;
  /** Tasks with a judged run. */
  readonly tasks: number;
  readonly atK: readonly PassAtK[];
}

/** Warnings about the figures; whole sentences. */
function warningsOf(
  records: readonly RecordFacts[],
  { slowest, timeout, failedBeforeError, tasks, atK }: WarningFacts,
): string[] {
  return [
    ...promptWarnings(records),
    ...searchWarnings(records),
    ...errorWarnings(records, failedBeforeError),
    ...slowWarnings(slowest, timeout),
    ...fewSamplesWarnings(tasks, atK),
  ];
}

/** The estimator needs k runs of a task, so that a figure may leave out tasks that failed. */
function fewSamplesWarnings(tasks: number, atK: readonly PassAtK[]): string[] {
  return atK
    .filter(share => share.tasks < tasks)
    .map(
      ({ k, tasks: enough }) =>
        `For k = ${k}, ${enough} of ${tasks} tasks ${enough === 1 ? 'has' : 'have'} enough samples; the others are not in that figure.`,
    );
}

/** Over all executions, since the last one of a run is not its only one. */
function slowestPass(records: readonly RecordFacts[]): number | null {
  let slowest: number | null = null;
  for (const record of records) {
    for (const seconds of passesIn(record)) slowest = Math.max(slowest ?? 0, seconds);
  }
  return slowest;
}

function passesIn(record: RecordFacts): number[] {
  const passes = record.attempts.filter(({ verdict }) => verdict?.kind === 'passed');
  return [
    ...passes.map(({ seconds: { execution, prescreen = 0 } }) => execution - prescreen),
    ...finalPass(record),
  ];
}

/** Agents without test feedback give an answer that the tests judge after the last attempt. */
function finalPass(record: RecordFacts): number[] {
  if (!record.passed || record.feedback === 'tests') return [];
  const earlier = sumOf(record.attempts, ({ seconds }) => seconds.execution);
  return [Math.max(0, Math.round((record.timings_sec.execution - earlier) * 1000) / 1000)];
}

function promptWarnings(records: readonly RecordFacts[]): string[] {
  const isTold = ({ prompt, template }: RecordFacts) => prompt === 'humanevalfixtests' && template !== 'api';
  if (!records.some(isTold)) return [];
  return ['The prompt contained the hidden tests, as the protocol humanevalfixtests requires.'];
}

function searchWarnings(records: readonly RecordFacts[]): string[] {
  if (!records.some(isChosenByTests)) return [];
  return ['The search tried its candidates on the hidden tests, so its share is not pass@1.'];
}

/** Only failing runs can end this way, which biases the figures of later iterations upwards. */
function errorWarnings(records: readonly RecordFacts[], failedBeforeError: number): string[] {
  if (failedBeforeError === 0) return [];
  const solved = records.filter(({ passed }) => passed).length;
  const counted = records.filter(({ passed }) => passed !== null).length + failedBeforeError;
  const runs = failedBeforeError === 1 ? 'One run' : `${failedBeforeError} runs`;
  return [
    `${runs} ended in an error after a failed attempt: they count up to that attempt and not in later figures. Counted as unsolved, they make it ${solved}/${counted}.`,
  ];
}

/** A system half as fast would have reported a timeout. */
function slowWarnings(slowest: number | null, timeout: number | undefined): string[] {
  if (slowest === null || timeout === undefined || slowest < timeout / 2) return [];
  return [
    `The slowest passing execution took ${slowest.toFixed(1)} s of the ${timeout} s that --timeout allows; raise --timeout or lower --workers.`,
  ];
}
