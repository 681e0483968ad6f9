import type { Score } from '../lib/core/attempt.ts';
import type { Feedback } from '../lib/core/choices.ts';
import type { Task } from '../lib/core/task.ts';
import type { Cause, Examination, Proposal, SearchTime, Suite, UntimedAttempt } from './actors.ts';
import { comparable, emptyPool, type Failures, type Pool, remaining, untried } from './pool.ts';
import type { TemperatureOptions } from './temperature.ts';

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

export interface EnumeratedEdits {
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
  return { asked: isAll ? pool.order.filter(at => pool.trials[at] === null) : untried(pool), isAll };
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
