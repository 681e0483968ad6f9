import { z } from 'zod';
import type { Feedback } from '../prompt/feedback.ts';
import type { PromptTemplate, Protocol } from '../prompt/published.ts';
import { judgeKinds } from './ports.ts';
import { type Verdict, verdictSchema } from './verdict.ts';

/** The nodes that ask the model, what the prompt of an attempt is about; `search` asks for likelihoods at most. */
export const nodes = [
  'draft',
  'reflect',
  'repeat',
  'syntax',
  'malformed',
  'propose',
  'diagnose',
  'search',
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
  /** Tokens that were guessed ahead, and those of them that the model chose too; absent if none were. */
  drafted: z.number().int().positive().optional(),
  accepted: z.number().int().nonnegative().optional(),
});

/** What a model wrote on why an attempt is wrong; the next prompt quotes it. */
export const diagnosisSchema = z.object({
  temperature: z.number().nonnegative(),
  prompt: promptSchema,
  completion: z.string(),
  tokens: tokensSchema,
  seconds: z.number().nonnegative(),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

/** An assertion that a candidate is run on before the tests see it. */
export const checkSchema = z.object({
  /** An example that the docstring shows, or the dataset gives, or what a failed attempt told of the tests. */
  source: z.enum(['docstring', 'dataset', 'told']),
  code: z.string(),
});
export type Check = z.infer<typeof checkSchema>;

/** How an attempt's candidate was chosen among others. */
export const selectionSchema = z.object({
  /** Where it came from: the model's third likeliest answer is beam 3 of 12; `of` counts those of its kind. */
  origin: z.object({
    kind: z.enum(['beam', 'edit', 'pair', 'sample']),
    place: z.number().int().positive(),
    of: z.number().int().positive(),
  }),
  /** Whether a model put the candidates in order. */
  ranked: z.boolean(),
  /** Answers left out without being run: what does not apply or parse, has another signature, or came before. */
  left_out: z.number().int().nonnegative(),
  /** What the candidates were run on, and how many failed there first. */
  checks: z.array(checkSchema.extend({ rejected: z.number().int().nonnegative() })),
  /** False if no candidate held all checks; then this one held the most. */
  agrees: z.boolean(),
  /** The time of the search was up before all candidates were tried. */
  time_up: z.boolean(),
});
export type Selection = z.infer<typeof selectionSchema>;

/** What a candidate printed, shortened, and its exit status; null if it did not end its process. */
export const outputSchema = z.object({
  stdout: z.string(),
  stderr: z.string(),
  /** 128 + N if signal N ended the process. */
  exit_code: z.number().int().nullable(),
});

/** One round: a prompt, what the model wrote, what came of it. */
export const attemptSchema = z.object({
  /** 0 is the draft, 1 the first repair iteration. */
  iteration: z.number().int().nonnegative(),
  node: z.enum(nodes),
  /** Null where nothing was sampled: beams and enumerated edits have none. */
  temperature: z.number().nonnegative().nullable(),
  prompt: promptSchema,
  completion: z.string(),
  /** The program that was judged, or would have been; null if the completion held no function. */
  candidate: z.string().nullable(),
  /**
   * Of a repeated candidate: the verdict that it got the first time. Null if it can be run, but was not:
   * the agent may learn nothing from that.
   */
  verdict: verdictSchema.nullable(),
  /** Absent if the candidate was not run, or printed nothing and did not end its process. */
  output: outputSchema.optional(),
  /** How the verdict was reached; `proven` if absent. */
  judge: z.enum(judgeKinds).optional(),
  /** The same syntax tree as an earlier attempt's, or as the buggy function's. */
  repeated: z.boolean(),
  /** The same syntax tree as the buggy function's. */
  unchanged: z.boolean().default(false),
  tokens: tokensSchema,
  seconds: z.object({ proposal: z.number().nonnegative(), execution: z.number().nonnegative() }),
  diagnosis: diagnosisSchema.optional(),
  /** Absent where there was one answer and nothing to choose from. */
  selection: selectionSchema.optional(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** What the tests that decide say of the candidate that an agent hands in without having asked them before. */
export interface Score extends Pick<Attempt, 'output' | 'judge'> {
  readonly candidate: string;
  readonly verdict: Verdict;
  readonly seconds: number;
}

/** How the agent `search` came to its candidate. */
export const searchSchema = z.object({
  /** Edits that were enumerated, pairs among them. */
  candidates: z.number().int().nonnegative(),
  /** How many of them were run. */
  tried: z.number().int().nonnegative(),
  /** The place of the one handed in, from 1, in the order in which they are tried; null if there was none. */
  place: z.number().int().positive().nullable(),
  /** Whether a model put them in order. */
  ranked: z.boolean(),
  /** What they were tried on: the docstring's examples as read from it, the dataset's, the tests that decide, or nothing. */
  tried_on: z.enum(['docstring', 'dataset', 'tests', 'nothing']),
  /** The time of the search was up before all were tried. */
  time_up: z.boolean().optional(),
});
export type Search = z.infer<typeof searchSchema>;

/** What one task came to. */
export interface TaskOutcome {
  /** `error`: the model or the sandbox failed, which says nothing about the task. */
  readonly state: 'solved' | 'unsolved' | 'error';
  /** What the attempts' verdicts come from, and so what the agent learnt; `tests` unless given. */
  readonly feedback?: Feedback;
  /** The published protocol that the prompt followed; none unless given. */
  readonly protocol?: Protocol;
  /** How that prompt was wrapped. */
  readonly template?: PromptTemplate;
  readonly attempts: readonly Attempt[];
  /** The machine's states in the order visited. */
  readonly path: readonly string[];
  /** Left out if the attempts' own verdicts are those of the tests that decide, or nothing could be run. */
  readonly score?: Score;
  /** Of the agent `search` alone. */
  readonly search?: Search;
  /** Why it broke; null unless `error`. */
  readonly cause: { readonly code: string; readonly message: string } | null;
}
