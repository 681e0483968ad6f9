import type { Attempt, Node } from '../lib/core/attempt.ts';
import type { Task } from '../lib/core/task.ts';
import type { Verdict } from '../lib/core/verdict.ts';

/** The actors that the machines leave open, with their inputs and outputs. */

export interface GenerateInput {
  readonly task: Task;
  readonly node: Node;
  readonly iteration: number;
  readonly temperature: number;
  /** Temperature of additional samples of the same prompt. */
  readonly warmer?: number;
  readonly attempts: readonly Attempt[];
}

/** What a model was asked and what it wrote. */
export type Proposal = Pick<
  Attempt,
  'iteration' | 'node' | 'temperature' | 'prompt' | 'completion' | 'tokens' | 'selection'
> & {
  readonly seconds: number;
  /** Seconds spent on running candidates before one was proposed. */
  readonly screeningSeconds?: number;
};

export interface ExamineInput {
  readonly task: Task;
  readonly completion: string;
  readonly attempts: readonly Attempt[];
}

/** The result of inspecting a completion without running it. */
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

export interface Judgement extends Pick<Attempt, 'output' | 'judge'> {
  readonly verdict: Verdict;
  readonly seconds: number;
}

export interface EnumerateInput {
  readonly task: Task;
  /** Maximum number. */
  readonly limit: number;
}

/** Edits of the code as shown, in the answer form of a model that writes edits. */
export interface Enumeration {
  readonly edits: readonly string[];
  readonly seconds: number;
}

export interface RankInput {
  readonly task: Task;
  readonly edits: readonly string[];
}

/** The edits, ranked by the model's likelihood. */
export interface Ranking extends Enumeration {
  /** What the model was asked; empty if it has no likelihoods and the order is unchanged. */
  readonly prompt: Attempt['prompt'];
  readonly tokens: Attempt['tokens'];
}

export interface PrescreenInput {
  readonly task: Task;
  /** The edits that were not tried yet, in their order. */
  readonly edits: readonly string[];
  readonly suite: 'tests' | 'examples';
}

/** The result of trying edits one after the other. */
export interface Prescreening {
  /** Number of assertions that passed, for each edit that was tried. */
  readonly assertionsPassed: readonly number[];
  /** Whether the last one tried passed all of them. */
  readonly survived: boolean;
  /** Whether the time limit of the search was reached. */
  readonly timeUp: boolean;
  readonly seconds: number;
}

export interface CombinePairsInput {
  readonly task: Task;
  readonly edits: readonly string[];
  readonly assertionsPassed: readonly number[];
  readonly limit: number;
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
