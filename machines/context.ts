import type { Node, Score } from '../lib/core/attempt.ts';
import type { Feedback } from '../lib/core/choices.ts';
import type { Task } from '../lib/core/task.ts';
import type { Cause, Examination, Judgement, Proposal, SearchTime, Suite, UntimedAttempt } from './actors.ts';
import {
  comparable,
  emptyPool,
  type Failures,
  noTokens,
  type Pool,
  remaining,
  selectionOf,
  untried,
} from './pool.ts';
import type { Failure } from './verdicts.ts';

/** How candidates are found and chosen. */
export interface SearchSettings {
  /** What the model is asked for with each prompt. */
  readonly answers: Answers;
  /** The edits that are candidates besides the answers; null if only answers are. */
  readonly edits: EnumeratedEdits | null;
  /** What candidates are run on before one is proposed; null for nothing. */
  readonly suite: Suite | null;
  /** Processor time limit, in seconds. */
  readonly seconds: number;
}

/** `samples`: one after the other, until one passes. `likeliest`: the likeliest at once. `none`: the model is not asked. */
export type Answers =
  | { readonly kind: 'none' | 'one' }
  | { readonly kind: 'samples' | 'likeliest'; readonly most: number };

interface EnumeratedEdits {
  /** Maximum number of candidates besides samples. */
  readonly budget: number;
  /**
   * `all`: all candidates are run, and the model ranks those that pass. `first`: they are run up to the first that
   * passes. `all before asking`: all are run before the model is asked, which is slow to answer; then as with `first`.
   */
  readonly screening: 'all' | 'first' | 'all before asking';
  /** Whether the model ranks candidates. */
  readonly ranked: boolean;
  /** Whether pairs of edits are tried if no single one passes. */
  readonly pairs: boolean;
}

/** The input of every agent. */
export interface AgentInput {
  readonly task: Task;
  /** Repair iterations after the draft; with 0 only the draft is judged. */
  readonly maxIterations: number;
  readonly temperature: TemperatureOptions;
  /**
   * `tests`: each candidate is judged by the hidden tests. `examples`: by the docstring's examples. `none`:
   * not at all. In the last two cases the hidden tests judge only the final candidate, once.
   */
  readonly feedback: Feedback;
  readonly search: SearchSettings;
}

/** The context of every agent: plain data, so that snapshots can be stored and resumed. */
export interface AgentContext extends AgentInput {
  /** 0 during the draft; never above `maxIterations`. */
  readonly iteration: number;
  /** The attempts that were examined and, if allowed, judged. */
  readonly attempts: readonly UntimedAttempt[];
  /** What the model was asked last. */
  readonly proposal: Proposal | null;
  readonly pool: Pool;
  readonly failures: Failures;
  readonly time: SearchTime;
  /** Parts of the current attempt. */
  readonly answer: Answer | null;
  readonly examination: Examination | null;
  /** The hidden tests' verdict on the final candidate, if they judged no attempt. */
  readonly score: Score | null;
  /** The reason for the state `error`. */
  readonly cause: Cause | null;
}

/** The answer that becomes an attempt. */
export interface Answer
  extends Pick<
    UntimedAttempt,
    'iteration' | 'node' | 'temperature' | 'prompt' | 'completion' | 'tokens' | 'selection'
  > {
  /** The program in the completion; null if it has not been read. */
  readonly code: string | null;
}

export function initialContext(input: AgentInput): AgentContext {
  return {
    ...input,
    iteration: 0,
    attempts: [],
    proposal: null,
    pool: emptyPool,
    failures: {},
    time: { limit: input.search.seconds, spent: 0, overruns: 0, skipsFirst: false },
    answer: null,
    examination: null,
    score: null,
    cause: null,
  };
}

/** No test may be run between attempts, or there is none to run. */
export function seesNothing({ feedback, task }: AgentContext): boolean {
  return feedback === 'none' || (feedback === 'examples' && task.exampleTests.trim() === '');
}

export function isTimeUp({ time }: Pick<AgentContext, 'time'>): boolean {
  return time.spent >= time.limit;
}

export function screensAll({ search, pool, proposal }: AgentContext): boolean {
  const screening = search.edits?.screening;
  const isWanted = screening === 'all' || (screening === 'all before asking' && proposal === null);
  return isWanted && !pool.isUnchecked && !pool.done.includes('screened');
}

/** The candidates to be run now. */
export function candidatesToRun(context: AgentContext): {
  readonly asked: readonly number[];
  readonly isAll: boolean;
} {
  const { pool } = context;
  const isAll = screensAll(context);
  return { asked: isAll ? pool.order.filter(index => pool.trials[index] === null) : untried(pool), isAll };
}

/** The candidates to be compared now with programs that failed. */
export function candidatesToCompare({ pool, attempts, search }: AgentContext): readonly number[] {
  const failed = attempts.flatMap(({ candidate }) => candidate ?? []);
  return search.suite === 'known' ? comparable(pool, failed) : [];
}

export function mayRank(context: AgentContext): boolean {
  const { search, pool } = context;
  // Pairs are in the order of their parts.
  const isWanted =
    search.edits?.ranked === true &&
    !pool.done.includes('ranked') &&
    (!pool.done.includes('combined') || pool.closest !== null);
  return isWanted && !isTimeUp(context) && remaining(pool).length > 0;
}

/** Pairs that failed before still fail when more is known. */
export function mayCombine(context: AgentContext): boolean {
  const { search, pool, attempts } = context;
  const failed = attempts.some(({ selection }) => selection?.agrees === false && !selection.time_up);
  const { edits } = search;
  if (!edits?.pairs || pool.isUnchecked || pool.done.includes('combined')) return false;
  return !failed && !isTimeUp(context) && pool.candidates.length < edits.budget;
}

/** Which prompt follows on which failure. */
export const nodesAfter = {
  malformed: 'syntax',
  repeated: 'repeat',
  unrunnable: 'syntax',
  failed: 'reflect',
} as const satisfies Record<Failure, Node>;

/** The prompt of a node without an answer. */
export function unasked(node: Node): Proposal {
  return { node, prompt: [], answers: [], isAnswered: false, temperature: null, tokens: noTokens };
}

export function answerOf(
  { iteration }: AgentContext,
  { node, prompt, temperature, tokens }: Proposal,
  completion: string,
): Answer {
  return { iteration, node, temperature, prompt, completion, code: null, tokens };
}

/**
 * The answer of a candidate. Tokens of a prompt that was asked before are not counted again.
 * @param completion the candidate's answer
 */
export function chosenAnswer(context: AgentContext, pool: Pool, index: number, completion: string): Answer {
  const { proposal, attempts, feedback } = context;
  const code = pool.candidates[index]?.code ?? null;
  const selection = selectionOf(pool, index, isTimeUp(context));
  if (!proposal) {
    const position = pool.order.indexOf(index);
    const iteration = feedback === 'tests' ? position : 0;
    const { prompt, tokens } = pool;
    const temperature = drawTemperature(pool, index);
    return { iteration, node: 'search', temperature, prompt, completion, code, tokens };
  }
  const { node, temperature } = proposal;
  const recorded = selection && { selection };
  const kind = pool.candidates[index]?.origin.kind;
  if (kind === 'sample' && context.search.answers.kind === 'samples') {
    const sampled = { ...proposal, temperature: sampleTemperature(context, index) };
    return { ...answerOf(context, sampled, completion), ...recorded };
  }
  const isAsked = attempts.some(({ prompt }) => sameTurns(prompt, proposal.prompt));
  const tokens = {
    prompt: proposal.tokens.prompt + pool.tokens.prompt,
    completion: proposal.tokens.completion + pool.tokens.completion,
  };
  return {
    iteration: context.iteration,
    node,
    temperature: kind === 'sample' ? temperature : drawTemperature(pool, index),
    prompt: proposal.isAnswered || pool.prompt.length > 0 ? proposal.prompt : [],
    completion,
    code,
    tokens: isAsked ? noTokens : tokens,
    ...recorded,
  };
}

/** At which a candidate was drawn; null if it was taken in a fixed order, as pairs are unless nothing passes. */
function drawTemperature({ candidates, closest, temperature }: Pool, index: number): number | null {
  const isPair = candidates[index]?.origin.kind === 'pair';
  return isPair && closest === null ? null : temperature;
}

/** Of the first sample, and of the others. */
export function sampleTemperature({ iteration, temperature }: AgentContext, sample: number): number {
  return temperatureAt(sample === 0 ? iteration : Math.max(1, iteration), temperature);
}

export function sumOfTokens(
  tokens: Proposal['tokens'],
  before: Proposal['tokens'] = noTokens,
): Proposal['tokens'] {
  const isDrafted = tokens.drafted !== undefined || before.drafted !== undefined;
  return {
    prompt: before.prompt + tokens.prompt,
    completion: before.completion + tokens.completion,
    ...(isDrafted && {
      drafted: (before.drafted ?? 0) + (tokens.drafted ?? 0),
      accepted: (before.accepted ?? 0) + (tokens.accepted ?? 0),
    }),
  };
}

function sameTurns(one: Proposal['prompt'], other: Proposal['prompt']): boolean {
  const turns = (messages: Proposal['prompt']) =>
    JSON.stringify(messages.map(({ role, content }) => [role, content]));
  return turns(one) === turns(other);
}

export function attemptOf(
  { answer }: AgentContext,
  examination: Examination | null,
  judgement: Judgement | undefined,
): UntimedAttempt[] {
  if (!answer || !examination) return [];
  const { code: _code, ...asked } = answer;
  const { candidate, repeated, unchanged } = examination;
  const { verdict = examination.verdict, seconds: _, ...run } = judgement ?? {};
  return [{ ...asked, candidate, verdict, ...run, repeated, unchanged }];
}

/** How the sampling temperature changes between iterations; shared by the machines. */

export const schedules = ['ramp', 'anneal', 'constant'] as const;
export type Schedule = (typeof schedules)[number];

export interface TemperatureOptions {
  readonly schedule: Schedule;
  /** Temperature of the draft. 0 is greedy. */
  readonly base: number;
  readonly step: number;
  /** Upper limit of `ramp`; a base above it is kept. */
  readonly cap: number;
}

/**
 * `ramp`: starts at the base and rises by a step with each iteration, so that a model that is stuck explores
 * more. `anneal`: starts warm and falls by a step after the first failure and another after the third, never
 * below 0. `constant`: always the base.
 */
export function temperatureAt(iteration: number, { schedule, base, step, cap }: TemperatureOptions): number {
  if (schedule === 'ramp') return rounded(Math.max(base, Math.min(base + iteration * step, cap)));
  if (schedule === 'anneal') return rounded(Math.max(0, base - stepsDown(iteration) * step));
  return base;
}

function stepsDown(failures: number): number {
  if (failures === 0) return 0;
  return failures < 3 ? 1 : 2;
}

/** Records show 0.1 + 0.2 as 0.3. */
function rounded(temperature: number): number {
  return Math.round(temperature * 1e6) / 1e6;
}
