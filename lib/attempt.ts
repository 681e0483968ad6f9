import { z } from 'zod';
import { verdictSchema } from './verdict.ts';

/** The nodes that ask the model: what the prompt of an attempt is about. */
export const nodes = ['draft', 'reflect', 'repeat', 'syntax'] as const;
export type Node = (typeof nodes)[number];

/** One round: a prompt, what the model wrote, what came of it. */
export const attemptSchema = z.strictObject({
  /** 0 is the draft, 1 the first repair iteration. */
  iteration: z.number().int().nonnegative(),
  node: z.enum(nodes),
  temperature: z.number().nonnegative(),
  prompt: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
  completion: z.string(),
  /** The program that was judged, or would have been; null if the completion held no function. */
  candidate: z.string().nullable(),
  /** Of a repeated candidate: the verdict that it got the first time. */
  verdict: verdictSchema,
  /** The same syntax tree as an earlier attempt's, or as the buggy function's. */
  repeated: z.boolean(),
  tokens: z.strictObject({
    prompt: z.number().int().nonnegative(),
    completion: z.number().int().nonnegative(),
  }),
  seconds: z.strictObject({ proposal: z.number().nonnegative(), execution: z.number().nonnegative() }),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** What one task came to. */
export interface TaskOutcome {
  /** `broken`: the model or the sandbox failed, which says nothing about the task. */
  readonly state: 'solved' | 'exhausted' | 'broken';
  readonly attempts: readonly Attempt[];
  /** The machine's states in the order visited. */
  readonly path: readonly string[];
  /** Why it broke; null unless `broken`. */
  readonly cause: { readonly code: string; readonly message: string } | null;
}
