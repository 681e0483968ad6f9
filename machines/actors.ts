import type { Attempt, Check, Diagnosis, Node, Selection } from '../lib/core/attempt.ts';
import type { Task } from '../lib/core/task.ts';
import type { Verdict } from '../lib/core/verdict.ts';

/**
 * The actors that the machines leave open, with their inputs and outputs: plain data. The times of attempts are those
 * of the machine's states.
 */

/** An attempt as the machine knows it. */
export type UntimedAttempt = Omit<Attempt, 'seconds' | 'diagnosis'> & {
  readonly diagnosis?: Omit<Diagnosis, 'seconds'> | undefined;
};

/** A program that may be proposed. */
export interface Candidate {
  /** Null for an answer that is read only when it is examined: a sample. */
  readonly code: string | null;
  /** A model's own answer; without one, edits are written where a model scores it or a record needs them. */
  readonly answer?: string;
  readonly origin: Selection['origin'];
}

/** How a candidate did on assertions. */
export interface Trial {
  /** `not run`: it cannot be, or is not new. */
  readonly outcome: 'passed' | 'failed' | 'not run';
  readonly assertionsPassed: number;
  /** Index of the first failing assertion; null unless it failed. */
  readonly firstFailing: number | null;
  /** Whether it exceeded its steps or time or, in a language without a compiler, ended the process. */
  readonly overran: boolean;
}

/** The processor time of a task's search. */
export interface SearchTime {
  /** Limit, in seconds. */
  readonly limit: number;
  readonly spent: number;
  /** Number of candidates that exceeded their steps or time; the more, the lower the limit of the others. */
  readonly overruns: number;
  /** Whether the buggy program is not run before the candidates, since it exceeded its time or ended the process. */
  readonly skipsFirst: boolean;
  /** Set if the clock ended the search before all candidates were tried. */
  readonly isByClock?: true;
}

export interface ProposeInput {
  readonly task: Task;
  readonly node: Node;
  readonly iteration: number;
  readonly temperature: number;
  readonly attempts: readonly UntimedAttempt[];
  /** 0-based index among the samples of this prompt. */
  readonly sample: number;
  /** Number of the model's likeliest answers to ask for; null for one sampled answer. */
  readonly beams: number | null;
}

/** What a model was asked and what it wrote. */
export interface Proposal {
  readonly node: Node;
  readonly prompt: Attempt['prompt'];
  readonly answers: readonly string[];
  /** False if the model was not asked, or the prompt was too long for it. */
  readonly isAnswered: boolean;
  /** Null for the likeliest answers. */
  readonly temperature: number | null;
  readonly tokens: Attempt['tokens'];
  /** Time of computation as the model reports it, without waiting for other requests. */
  readonly seconds?: number | undefined;
}

export interface EnumerateInput {
  readonly task: Task;
  /** Maximum number of edits. */
  readonly limit: number;
  /** The model's answers, which come first; null if it was not asked yet, or never is. */
  readonly answers: readonly string[] | null;
  readonly time: SearchTime;
}

export interface Enumeration {
  /** Each program once. */
  readonly candidates: readonly Candidate[];
  /** Answers of the model that do not apply, do not parse, or repeat an earlier program. */
  readonly unusable: number;
  readonly time: SearchTime;
}

/**
 * `known`: the docstring's examples and the assertions that failures revealed. `examples`: the docstring's examples
 * as a program. `tests`: the hidden tests.
 */
export type Suite = 'known' | 'examples' | 'tests';

export interface ScreenInput {
  readonly task: Task;
  readonly attempts: readonly UntimedAttempt[];
  readonly candidates: readonly Candidate[];
  /** Null: nothing may be run. */
  readonly suite: Suite | null;
  /** `first`: up to the first that passes. */
  readonly until: 'all' | 'first';
  readonly time: SearchTime;
}

/** The result of running candidates in their order, many in one execution. */
export interface Screening {
  /** Of those that were run. */
  readonly trials: readonly Trial[];
  /** The assertions; empty for a suite that is one program. */
  readonly checks: readonly Check[];
  /** Whether nothing was run because there is nothing to check: every candidate that can run counts as passing. */
  readonly isEmpty: boolean;
  /** Whether the buggy program passes as well, so that it is not known how it is wrong. */
  readonly passesUnchanged?: boolean | undefined;
  readonly time: SearchTime;
}

export interface RankInput {
  readonly task: Task;
  readonly candidates: readonly Candidate[];
  /** What the model was asked; null for the task's first prompt. */
  readonly prompt: Attempt['prompt'] | null;
  readonly iteration: number;
  /** 0: the likeliest come first. Above: each is drawn with its likelihood to the power of 1/temperature. */
  readonly temperature: number;
  readonly time: SearchTime;
}

/** The candidates by the model's likelihood and the temperature. */
export interface Ranking {
  /** Their indices, in the order drawn. Unchanged if the model has no likelihoods; `prompt` is empty then. */
  readonly order: readonly number[];
  /** Null if the model has no likelihoods. */
  readonly temperature: number | null;
  readonly prompt: Attempt['prompt'];
  readonly tokens: Attempt['tokens'];
  readonly time: SearchTime;
  readonly seconds?: number | undefined;
}

export interface CompareInput {
  readonly task: Task;
  readonly attempts: readonly UntimedAttempt[];
  /** All pass what is known, as programs do that failed. */
  readonly candidates: readonly Candidate[];
  readonly time: SearchTime;
}

/** What candidates do with generated inputs. */
export interface Comparison {
  /** Of each candidate: whether it does the same as a program that failed. */
  readonly alike: readonly boolean[];
  readonly time: SearchTime;
}

export interface CombineInput {
  readonly task: Task;
  readonly candidates: readonly Candidate[];
  /** One a candidate; pairs of those that passed the most come first. */
  readonly assertionsPassed: readonly number[];
  readonly limit: number;
  readonly time: SearchTime;
}

export interface Combination {
  readonly pairs: readonly Candidate[];
  readonly time: SearchTime;
}

export interface ChooseInput {
  readonly task: Task;
  readonly attempts: readonly UntimedAttempt[];
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** Number of candidates to look at. */
  readonly limit: number;
}

export interface Choice {
  /** Index of the first candidate that is new and can be run; null if there is none. */
  readonly chosen: number | null;
  /** Its answer, for the record; empty if there is none. */
  readonly answer: string;
}

export interface ExamineInput {
  readonly task: Task;
  readonly completion: string;
  /** The program in the completion; null if it has not been read. */
  readonly code: string | null;
  readonly attempts: readonly UntimedAttempt[];
}

/** The result of inspecting a candidate without running it. */
export interface Examination extends Pick<Attempt, 'candidate' | 'repeated' | 'unchanged'> {
  /** Null if only running it can tell; for a repeated candidate, the earlier verdict. */
  readonly verdict: Verdict | null;
}

export interface ExecuteInput {
  readonly task: Task;
  readonly candidate: string;
  /** The hidden tests, or the docstring's examples. */
  readonly suite: 'tests' | 'examples';
}

export interface Judgement extends Pick<Attempt, 'output' | 'judge' | 'counts'> {
  readonly verdict: Verdict;
  /** In the sandbox. */
  readonly seconds: number;
}

/** What the actors compute. */
export interface AgentActors {
  propose(input: ProposeInput, signal: AbortSignal): Promise<Proposal>;
  enumerate(input: EnumerateInput, signal: AbortSignal): Promise<Enumeration>;
  screen(input: ScreenInput, signal: AbortSignal): Promise<Screening>;
  rank(input: RankInput, signal: AbortSignal): Promise<Ranking>;
  combine(input: CombineInput, signal: AbortSignal): Promise<Combination>;
  compare(input: CompareInput, signal: AbortSignal): Promise<Comparison>;
  choose(input: ChooseInput, signal: AbortSignal): Promise<Choice>;
  examine(input: ExamineInput, signal: AbortSignal): Promise<Examination>;
  execute(input: ExecuteInput, signal: AbortSignal): Promise<Judgement>;
}

/**
 * Placeholder for an actor that has to be provided: a machine that is started without it fails with a clear
 * error.
 */
export async function notProvided(): Promise<never> {
  throw new Error('This machine was started without its actors; give them with machine.provide({ actors }).');
}

/** An error as plain data that a stored snapshot can contain. */
export interface Cause {
  readonly code: string;
  readonly message: string;
}

export function causeOf(error: unknown): Cause {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : 'UNEXPECTED',
    message: typeof message === 'string' ? message : String(error),
  };
}
