import type { Attempt, Node } from '../lib/core/attempt.ts';
import type { Task } from '../lib/core/task.ts';
import type { Verdict } from '../lib/core/verdict.ts';

/** The actors that the machines leave open: what each is given and what it gives back. */

export interface GenerateInput {
  readonly task: Task;
  readonly node: Node;
  readonly iteration: number;
  readonly temperature: number;
  /** Of further samples of the same prompt. */
  readonly warmer?: number;
  readonly attempts: readonly Attempt[];
}

/** What a model was asked and what it wrote. */
export type Proposal = Pick<
  Attempt,
  'iteration' | 'node' | 'temperature' | 'prompt' | 'completion' | 'tokens' | 'selection'
> & {
  readonly seconds: number;
  /** Spent on running candidates before one was proposed. */
  readonly screeningSeconds?: number;
};

export interface ExamineInput {
  readonly task: Task;
  readonly completion: string;
  readonly attempts: readonly Attempt[];
}

/** What a look at a completion, without running it, shows. */
export interface Examination extends Pick<Attempt, 'candidate' | 'repeated' | 'unchanged'> {
  /** Null if only running it can tell; of a repeated candidate, what that told before. */
  readonly verdict: Verdict | null;
}

export interface ExecuteInput {
  readonly task: Task;
  readonly candidate: string;
  /** The tests that decide, or the docstring's examples. */
  readonly suite: 'tests' | 'examples';
}

export interface Judgement extends Pick<Attempt, 'output' | 'judge'> {
  readonly verdict: Verdict;
  readonly seconds: number;
}

export interface EnumerateInput {
  readonly task: Task;
  /** How many at most. */
  readonly most: number;
}

/** Edits of the code as it is shown, as answers of a model that writes edits. */
export interface Enumeration {
  readonly edits: readonly string[];
  readonly seconds: number;
}

export interface RankInput {
  readonly task: Task;
  readonly edits: readonly string[];
}

/** The edits in the order in which the model likes them. */
export interface Ranking extends Enumeration {
  /** What the model was asked; empty if it cannot tell likelihoods, and the order is as it was. */
  readonly prompt: Attempt['prompt'];
  readonly tokens: Attempt['tokens'];
}

export interface PrescreenInput {
  readonly task: Task;
  /** Those not tried yet, in their order. */
  readonly edits: readonly string[];
  readonly suite: 'tests' | 'examples';
}

/** What trying edits one after the other came to. */
export interface Prescreening {
  /** Assertions that held, for each edit that was tried. */
  readonly held: readonly number[];
  /** Whether the last one tried held them all. */
  readonly survived: boolean;
  /** The time of the search is up. */
  readonly timeUp: boolean;
  readonly seconds: number;
}

export interface CombinePairsInput {
  readonly task: Task;
  readonly edits: readonly string[];
  readonly held: readonly number[];
  readonly most: number;
}

/** Stands where an actor is to be provided: a machine that is started without them onActorError and says so. */
export async function notProvided(): Promise<never> {
  throw new Error('This machine was started without its actors; give them with machine.provide({ actors }).');
}

/** An error as plain data, which a stored snapshot can hold. */
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
