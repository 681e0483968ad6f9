import type { RunRecord } from '../core/record.ts';
import { bugTypes } from '../core/task.ts';
import { verdictKinds } from '../core/verdict.ts';
import type { Share } from './interval.ts';
import { type NodeUse, useByNode } from './node-use.ts';
import { defaultKs, type PassAtK, passAtKs } from './pass-at-k.ts';
import { isChosenByTests, type SearchUse, searchUse } from './search-use.ts';
import { shareWithin, type TaskRuns, taskRunsOf } from './task-runs.ts';
import { slowestPass, warningsOf } from './warnings.ts';

/** Runs of so many tasks, with the share of them that solved theirs. */
interface Count extends Share {
  readonly tasks: number;
  readonly runs: number;
  readonly solved: number;
}

/** What runs came to within so many repair iterations. */
interface CurvePoint extends Share {
  readonly iterations: number;
  readonly solved: number;
  readonly pass_at_k: readonly PassAtK[];
}

/** What a results file comes to. Broken runs are in `errors` and in no other figure but tokens and seconds. */
export interface Summary {
  /** Those with a run that was judged. */
  readonly tasks: number;
  /** Judged runs of the task that has most of them. */
  readonly samples: number;
  /** All runs that were judged. */
  readonly runs: number;
  readonly solved: number;
  /**
   * Share of runs that passed and had learnt nothing from the tests that decide: the draft's, or with
   * feedback `examples` and `none` the agent's one answer. Null if nothing was judged, or if the agent `search`
   * tried its candidates on the tests that decide.
   */
  readonly pass_at_1: Share | null;
  /** The same for several runs of each task, by the unbiased estimator. */
  readonly pass_at_k: readonly PassAtK[];
  /** Of runs whose feedback was the docstring's examples, the answers that passed them; null without such runs. */
  readonly examples: { readonly passed: number; readonly passed_but_failed_tests: number } | null;
  /**
   * Share of runs solved within so many repair iterations, with test feedback; the first is the draft alone.
   * Empty if there was no such feedback.
   */
  readonly with_test_feedback: readonly CurvePoint[];
  /** Of the runs that solved their task; 0 is the draft. Null if none did. */
  readonly iterations_to_solve: { readonly mean: number; readonly median: number } | null;
  readonly by_bug_type: Readonly<{ [bugType: string]: Count }>;
  /** Null unless the agent was `search`. */
  readonly search: SearchUse | null;
  /** Of the last attempts. */
  readonly by_verdict: Readonly<{ [verdict: string]: number }>;
  readonly by_node: Readonly<{ [node: string]: NodeUse }>;
  readonly errors: { readonly runs: number; readonly by_code: Readonly<{ [code: string]: number }> };
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** Answers among these that were kept from earlier requests. */
  readonly cached_replies: number;
  /** Of the answers that were not, in the currency of the prices; null without prices. */
  readonly cost: number | null;
  readonly seconds: { readonly total: number; readonly model: number; readonly execution: number };
  /** Completion tokens per second of the model's time; null if it took none. */
  readonly tokens_per_second: number | null;
  /** Of the executions whose candidate passed, the longest; null if none did. */
  readonly slowest_pass_sec: number | null;
  /** What people should know before they trust the numbers; whole sentences. */
  readonly warnings: readonly string[];
  /** `agent`, or the published protocols that the prompts followed. */
  readonly prompts: readonly string[];
}

/** What a million tokens cost. */
export interface Prices {
  readonly prompt: number;
  readonly completion: number;
}

export interface SummaryTerms {
  readonly prices?: Prices | null;
  /** Seconds that an execution could take. */
  readonly timeout?: number | undefined;
}

/** `iterations` is the budget that the runs had; the curve goes so far even if none used it up. */
export function summarise(
  records: readonly RunRecord[],
  iterations: number,
  { prices = null, timeout }: SummaryTerms = {},
): Summary {
  const judged = records.filter(record => record.passed !== null);
  const broken = records.filter(record => record.passed === null);
  const tasks = taskRunsOf(records);
  const samples = Math.max(0, ...tasks.map(({ solvedIn }) => solvedIn.length));
  const ks = defaultKs(samples);
  const learnt = records.some(({ feedback }) => feedback === 'tests');
  /** What needed no iteration taught an agent nothing; without test feedback, none does. */
  const unaided = learnt ? 0 : Number.POSITIVE_INFINITY;
  const isChosen = records.some(isChosenByTests);
  const slowest = slowestPass(records);
  const model = total(records, r => r.timings_sec.proposal + r.timings_sec.reflection);
  const completion = total(records, r => r.token_usage.completion);
  return {
    tasks: tasks.length,
    samples,
    runs: judged.length,
    solved: judged.filter(record => record.passed).length,
    pass_at_1: isChosen ? null : shareWithin(tasks, unaided),
    pass_at_k: isChosen ? [] : passAtKs(tasks, ks, unaided),
    examples: byExamples(judged),
    with_test_feedback: Array.from({ length: learnt ? iterations + 1 : 0 }, (_, count) => {
      const share = shareWithin(tasks, count);
      if (share === null) return [];
      const solved = judged.filter(r => r.passed && r.iters <= count).length;
      return [{ iterations: count, solved, ...share, pass_at_k: passAtKs(tasks, ks, count) }];
    }).flat(),
    iterations_to_solve: iterationsToSolve(judged),
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
    cost: prices && cost(records, prices),
    seconds: {
      total: total(records, r => r.runtime_sec),
      model,
      execution: total(records, r => r.timings_sec.execution),
    },
    tokens_per_second: model === 0 ? null : Math.round((completion / model) * 10) / 10,
    slowest_pass_sec: slowest,
    warnings: warningsOf(records, slowest, timeout),
    prompts: [...new Set(records.map(({ prompt }) => prompt))],
  };
}

function iterationsToSolve(judged: readonly RunRecord[]): Summary['iterations_to_solve'] {
  const taken = judged.filter(({ passed }) => passed).map(({ iters }) => iters);
  if (taken.length === 0) return null;
  const sorted = taken.toSorted((a, b) => a - b);
  const middle = [Math.floor((taken.length - 1) / 2), Math.ceil((taken.length - 1) / 2)];
  const median = middle.reduce((sum, at) => sum + (sorted[at] ?? 0), 0) / 2;
  return { mean: taken.reduce((sum, iters) => sum + iters, 0) / taken.length, median };
}

/** A broken run is in it as far as it is recorded; tries that failed are not. */
function cost(records: readonly RunRecord[], { prompt, completion }: Prices): number {
  const paid = (kind: 'prompt' | 'completion') =>
    records.reduce((sum, r) => sum + r.token_usage[kind] - (r.cached?.[kind] ?? 0), 0);
  // Millionths are a token's worth at a price of one.
  return Math.round(paid('prompt') * prompt + paid('completion') * completion) / 1e6;
}

function byExamples(records: readonly RunRecord[]): Summary['examples'] {
  if (!records.some(({ feedback }) => feedback === 'examples')) return null;
  const passed = records.filter(({ example_verdict }) => example_verdict?.kind === 'passed');
  return { passed: passed.length, passed_but_failed_tests: passed.filter(r => !r.passed).length };
}

function byBugType(tasks: readonly TaskRuns[]): Summary['by_bug_type'] {
  const groups = [...bugTypes, null].flatMap(type => {
    const group = tasks.filter(({ bugType }) => bugType === type);
    const share = shareWithin(group, Number.POSITIVE_INFINITY);
    if (share === null) return [];
    const runs = group.flatMap(({ solvedIn }) => solvedIn);
    const solved = runs.filter(iterations => iterations !== null).length;
    return [[type ?? 'unknown', { tasks: group.length, runs: runs.length, solved, ...share }] as const];
  });
  return Object.fromEntries(groups);
}

/** How often each value occurs; keys in the order given, values not in it after those, as they come. */
function tally(values: readonly string[], order: readonly string[] = []): { [value: string]: number } {
  const present = [...order.filter(value => values.includes(value)), ...values];
  return Object.fromEntries([...new Set(present)].map(key => [key, values.filter(v => v === key).length]));
}

/** Milliseconds are as fine as records are. */
function total(records: readonly RunRecord[], value: (record: RunRecord) => number): number {
  return Math.round(records.reduce((sum, record) => sum + value(record), 0) * 1000) / 1000;
}
