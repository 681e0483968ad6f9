import { z } from 'zod';
import type { Feedback, Protocol } from './choices.ts';
import { judgeKinds } from './ports.ts';
import {
  amount,
  assertionCountsSchema,
  count,
  flag,
  positive,
  text,
  type Verdict,
  verdictSchema,
  whole,
} from './verdict.ts';

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
    role: z.enum(['system', 'user', 'assistant', 'tool']).describe('who speaks'),
    content: text('the text'),
    toolCalls: z
      .array(z.object({ name: text('the function'), arguments: text('JSON text') }))
      .optional()
      .describe('functions that the assistant called'),
  }),
);
export const tokensSchema = z.object({
  prompt: count('tokens of prompts'),
  completion: count('tokens of completions'),
  drafted: positive('tokens that were drafted with prompt-lookup decoding; absent if none were').optional(),
  accepted: count('drafted tokens that were accepted').optional(),
});

/** The model's explanation of why an attempt is wrong; quoted in the next prompt. */
const diagnosisSchema = z.object({
  temperature: amount('temperature of the request'),
  prompt: promptSchema.describe('the messages'),
  completion: text('the explanation; quoted in the next prompt'),
  tokens: tokensSchema.describe('tokens of the request'),
  seconds: amount('time of the request'),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

/** An assertion that candidates are run on before the hidden tests. */
const checkSchema = z.object({
  source: z
    .enum(['docstring', 'dataset', 'revealed'])
    .describe('where the check comes from: the docstring, the dataset, or a failed attempt that revealed it'),
  code: text('the assertion'),
});
export type Check = z.infer<typeof checkSchema>;

/** How an attempt's candidate was selected. */
export const selectionSchema = z.object({
  origin: z
    .object({
      kind: z
        .enum(['beam', 'edit', 'pair', 'sample'])
        .describe('beam or sample of the model, enumerated edit, or pair of edits'),
      rank: positive('1-based position among the candidates of this kind'),
      of: positive('number of candidates of this kind'),
    })
    .describe("the candidate's source: the model's third likeliest answer is beam 3 of 12"),
  ranked: flag('whether a model ranked the candidates'),
  left_out: count(
    'answers that could not be proposed: not applicable, a syntax error, another signature, or a duplicate',
  ),
  checks: z
    .array(
      checkSchema.extend({
        rejected: count('candidates that the check rejected'),
      }),
    )
    .describe('what candidates were run on before the hidden tests'),
  agrees: flag('false if no candidate passed all checks; the one that passed the most was taken'),
  time_up: flag('whether the time limit ended the search before all candidates were tried'),
});
export type Selection = z.infer<typeof selectionSchema>;

/** A candidate's output, shortened, and its exit status; null if it did not end its process. */
const outputSchema = z.object({
  stdout: text('what the candidate printed, shortened'),
  stderr: text('what it printed to stderr, shortened'),
  exit_code: whole(
    'its exit status, 128 + N if signal N ended the process; null if it did not end it',
  ).nullable(),
});

/** One round: a prompt, the model's answer and the result. */
export const attemptSchema = z.object({
  iteration: count('0 is the draft, 1 the first repair iteration'),
  node: z.enum(nodes).describe('the state that asked the model'),
  temperature: amount(
    'at which the answer was sampled or the candidate drawn; null if candidates were taken in a fixed order',
  ).nullable(),
  prompt: promptSchema.describe('the messages'),
  completion: text("the model's answer"),
  candidate: text(
    'the program that was judged, or would have been; null if the completion contained no function',
  ).nullable(),
  verdict: verdictSchema
    .nullable()
    .describe(
      'the verdict; of a repeated candidate, that of its first attempt; null if the candidate could be run but was not, since the agent must not see results',
    ),
  counts: assertionCountsSchema
    .optional()
    .describe(
      'how many assertions hold, each tried on its own after the verdict; absent unless a whole function failed with the tests as feedback, and assertions could be counted',
    ),
  output: outputSchema
    .optional()
    .describe('absent if the candidate was not run, or neither printed anything nor ended its process'),
  judge: z.enum(judgeKinds).optional().describe('how the verdict was reached; `proven` if absent'),
  repeated: flag('whether the syntax tree equals that of an earlier attempt or of the buggy function'),
  unchanged: z.boolean().default(false).describe('whether the syntax tree equals that of the buggy function'),
  tokens: tokensSchema.describe('tokens of the attempt'),
  seconds: z
    .object({
      proposal: amount('of the model'),
      execution: amount('in the sandbox'),
      prescreen: amount(
        'the part of `execution` before the tests, to choose a candidate; absent if there was nothing to choose from',
      ).optional(),
    })
    .describe('times of the attempt'),
  diagnosis: diagnosisSchema
    .optional()
    .describe("the model's explanation of why the attempt is wrong (agent `react`)"),
  selection: selectionSchema
    .optional()
    .describe('how the candidate was chosen; absent if there was only one answer'),
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
  candidates: count('enumerated edits, including pairs'),
  tried: count('edits that were run'),
  rank: positive(
    '1-based position of the final candidate in the order of trial; null if there is none',
  ).nullable(),
  ranked: flag('whether a model ranked them'),
  tried_on: z
    .enum(['docstring', 'dataset', 'tests', 'nothing'])
    .describe(
      'what they were tried on: examples of the docstring or of the dataset, the hidden tests, or nothing',
    ),
  time_up: flag('whether the time limit ended the search before all edits were tried').optional(),
});
export type Search = z.infer<typeof searchSchema>;

/** How many candidates a step found, ran, ranked or chose. */
const stepCountsSchema = z
  .object({
    answers: count('answers of the model'),
    candidates: count("different programs, of the model's answers and enumerated edits"),
    screened: count('candidates that were run'),
    passed: count('candidates that passed all checks'),
    rejected: z
      .array(z.number().int().nonnegative())
      .describe('how many candidates each check rejected first'),
    ranked: count('candidates that the model ranked'),
    compared: count('candidates that were compared with programs that failed, on generated inputs'),
    alike: count('those that behave like such a program'),
    pairs: count('pairs of edits'),
    chosen: count('candidates that were chosen'),
  })
  .partial();
export type StepCounts = z.infer<typeof stepCountsSchema>;

/** A visit of a state. */
export const stepSchema = z.object({
  state: text('name of the state'),
  attempt: count(
    '0-based index of the attempt that it is part of; for what follows the last attempt, their number',
  ),
  seconds: amount('from entering the state to leaving it'),
  busy_seconds: amount('of the model or the tests, without waiting for others; absent if unknown').optional(),
  counts: stepCountsSchema.optional().describe('how many candidates the step found, ran, ranked or chose'),
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
  /** With the examples as feedback: programs that may agree with all that is known, the likeliest first. */
  readonly others?: readonly string[];
  /** The reason for the state `error`; otherwise null. */
  readonly cause: { readonly code: string; readonly message: string } | null;
}
