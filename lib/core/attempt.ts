import { z } from 'zod';
import type { Feedback, Protocol } from './choices.ts';

import { judgeKinds } from './ports.ts';
import { assertionCountsSchema, type Verdict, verdictSchema } from './verdict.ts';

/** The nodes that prompt the model. `search` only queries likelihoods; `given` marks a scored sample. */
export const nodes = [
  'draft',
  'reflect',
  'repeat',
  'syntax',
  'malformed',
  'propose',
  'diagnose',
  'search',
  'given',
] as const;
export type Node = (typeof nodes)[number];

const promptSchema = z.array(
  z.object({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: z.string(),
    toolCalls: z.array(z.object({ name: z.string(), arguments: z.string() })).optional(),
  }),
);
const tokensSchema = z.object({
  prompt: z.number().int().nonnegative(),
  completion: z.number().int().nonnegative(),
  /** Tokens that were drafted, and how many of them were accepted; absent if none were drafted. */
  drafted: z.number().int().positive().optional(),
  accepted: z.number().int().nonnegative().optional(),
});

/** The model's explanation of why an attempt is wrong; quoted in the next prompt. */
const diagnosisSchema = z.object({
  temperature: z.number().nonnegative(),
  prompt: promptSchema,
  completion: z.string(),
  tokens: tokensSchema,
  seconds: z.number().nonnegative(),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

/** An assertion that candidates are run on before the hidden tests. */
const checkSchema = z.object({
  /** An example from the docstring or the dataset, or an assertion that a failed attempt revealed. */
  source: z.enum(['docstring', 'dataset', 'revealed']),
  code: z.string(),
});
export type Check = z.infer<typeof checkSchema>;

/** How an attempt's candidate was selected. */
export const selectionSchema = z.object({
  /**
   * Its source: the model's third likeliest answer is beam 3 of 12; `of` counts the candidates of this kind.
   */
  origin: z.object({
    kind: z.enum(['beam', 'edit', 'pair', 'sample']),
    rank: z.number().int().positive(),
    of: z.number().int().positive(),
  }),
  /** Whether a model ranked the candidates. */
  ranked: z.boolean(),
  /**
   * Number of answers rejected without being run: not applicable, a syntax error, another signature, or a
   * duplicate.
   */
  left_out: z.number().int().nonnegative(),
  /** The checks that candidates were run on, and how many candidates each of them rejected. */
  checks: z.array(checkSchema.extend({ rejected: z.number().int().nonnegative() })),
  /** False if no candidate passed all checks; the one that passed the most was taken. */
  agrees: z.boolean(),
  /** Whether the time limit ended the search before all candidates were tried. */
  time_up: z.boolean(),
});
export type Selection = z.infer<typeof selectionSchema>;

/** A candidate's output, shortened, and its exit status; null if it did not end its process. */
const outputSchema = z.object({
  stdout: z.string(),
  stderr: z.string(),
  /** 128 + N if signal N ended the process. */
  exit_code: z.number().int().nullable(),
});

/** One round: a prompt, the model's answer and the result. */
export const attemptSchema = z.object({
  /** 0 is the draft, 1 the first repair iteration. */
  iteration: z.number().int().nonnegative(),
  node: z.enum(nodes),
  /** Null if nothing was sampled: beams and enumerated edits have no temperature. */
  temperature: z.number().nonnegative().nullable(),
  prompt: promptSchema,
  completion: z.string(),
  /** The program that was judged, or would have been; null if the completion contained no function. */
  candidate: z.string().nullable(),
  /**
   * For a repeated candidate: the verdict of its first attempt. Null if the candidate could be run but was
   * not, since the agent must not see results.
   */
  verdict: verdictSchema.nullable(),
  /** Absent unless the candidate failed with the tests as feedback, and assertions could be counted. */
  counts: assertionCountsSchema.optional(),
  /** Absent if the candidate was not run, or neither printed anything nor ended its process. */
  output: outputSchema.optional(),
  /** How the verdict was reached; `proven` if absent. */
  judge: z.enum(judgeKinds).optional(),
  /** Whether the syntax tree equals that of an earlier attempt or of the buggy function. */
  repeated: z.boolean(),
  /** Whether the syntax tree equals that of the buggy function. */
  unchanged: z.boolean().default(false),
  tokens: tokensSchema,
  seconds: z.object({
    proposal: z.number().nonnegative(),
    /** In the sandbox. */
    execution: z.number().nonnegative(),
    /** The part of `execution` before the tests; absent if no candidate was run before them. */
    prescreen: z.number().nonnegative().optional(),
  }),
  diagnosis: diagnosisSchema.optional(),
  /** Absent if there was only one answer. */
  selection: selectionSchema.optional(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** The hidden tests' verdict on a final candidate that was not run on them before. */
export interface Score extends Pick<Attempt, 'output' | 'judge'> {
  readonly candidate: string;
  readonly verdict: Verdict;
  readonly seconds: number;
}

/** How the agent `search` found its candidate. */
export const searchSchema = z.object({
  /** Number of enumerated edits, including pairs. */
  candidates: z.number().int().nonnegative(),
  /** Number of edits that were run. */
  tried: z.number().int().nonnegative(),
  /** 1-based position of the final candidate in the order of trial; null if there is none. */
  rank: z.number().int().positive().nullable(),
  /** Whether a model ranked them. */
  ranked: z.boolean(),
  /**
   * What they were tried on: examples parsed from the docstring, the dataset's examples, the hidden tests, or
   * nothing.
   */
  tried_on: z.enum(['docstring', 'dataset', 'tests', 'nothing']),
  /** Whether the time limit ended the search before all edits were tried. */
  time_up: z.boolean().optional(),
});
export type Search = z.infer<typeof searchSchema>;

/** How many candidates a step found, ran, ranked or chose. */
const stepCountsSchema = z
  .object({
    /** Answers of the model. */
    answers: z.number().int().nonnegative(),
    /** Different programs, of the model's answers and enumerated edits. */
    candidates: z.number().int().nonnegative(),
    /** Candidates that were run, those that passed, and how many each check rejected first. */
    screened: z.number().int().nonnegative(),
    passed: z.number().int().nonnegative(),
    rejected: z.array(z.number().int().nonnegative()),
    ranked: z.number().int().nonnegative(),
    /** Pairs of edits. */
    pairs: z.number().int().nonnegative(),
    chosen: z.number().int().nonnegative(),
  })
  .partial();
export type StepCounts = z.infer<typeof stepCountsSchema>;

/** A visit of a state. */
export const stepSchema = z.object({
  state: z.string(),
  /** 0-based index of the attempt that it is part of; for what follows the last attempt, their number. */
  attempt: z.number().int().nonnegative(),
  /** From entering the state to leaving it. */
  seconds: z.number().nonnegative(),
  /** Of the model or the tests, without waiting for others; absent if unknown. */
  busy_seconds: z.number().nonnegative().optional(),
  counts: stepCountsSchema.optional(),
});
export type Step = z.infer<typeof stepSchema>;

/** The result of one task. */
export interface TaskOutcome {
  /** `error`: the model or the sandbox failed, which says nothing about the candidate. */
  readonly state: 'solved' | 'unsolved' | 'error';
  /** The source of the attempts' verdicts, and so what the agent sees; defaults to `tests`. */
  readonly feedback?: Feedback;
  /** The published protocol of the prompt; absent for hefix's own prompts. */
  readonly protocol?: Protocol;
  /** The format of that prompt. */
  readonly template?: string;
  readonly attempts: readonly Attempt[];
  /** States of the machine, in the order visited. */
  readonly path: readonly string[];
  /** The same states, with times and counts; absent if unknown. */
  readonly steps?: readonly Step[];
  /** Absent if the attempts' own verdicts come from the hidden tests, or if nothing could be run. */
  readonly score?: Score;
  /** Set only by the agent `search`. */
  readonly search?: Search;
  /** The reason for the state `error`; otherwise null. */
  readonly cause: { readonly code: string; readonly message: string } | null;
}
