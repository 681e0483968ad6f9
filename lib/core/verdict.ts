import { z } from 'zod';

/**
 * The sandbox's finding about a candidate. A verdict is data about the candidate; a sandbox that could not do
 * its work throws a HefixError instead.
 */
export const verdictKinds = [
  'passed',
  /** An assertion of the tests failed. */
  'failed',
  /** The candidate raised an exception that the tests did not expect. */
  'raised',
  'timeout',
  'memory',
  'syntax',
  /** The entry point has another name or other parameters. */
  'signature',
  'no-code',
  /**
   * The answer is an edit that does not fit the code: no such line, no such text in the line, or no change.
   */
  'edit-not-applicable',
  /** The candidate ended its process. */
  'exited',
  /** The candidate returned a value that cannot be sent to the judge. */
  'not-serializable',
] as const;
export type VerdictKind = (typeof verdictKinds)[number];

export const verdictSchema = z.object({
  kind: z.enum(verdictKinds),
  /** One sentence to show. */
  message: z.string(),
  /** The line of the tests that decided; 1-based. */
  test: z.object({ line: z.number().int(), source: z.string() }).optional(),
  /** Representations of the expected and the actual value, shortened. */
  expected: z.string().optional(),
  actual: z.string().optional(),
  exception: z
    .object({
      type: z.string(),
      message: z.string(),
      /** The candidate's line that raised; 1-based. */
      line: z.number().int().optional(),
    })
    .optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Isolation levels of candidates, strongest first. */
export const isolationLevels = ['bubblewrap', 'namespaces', 'docker', 'seatbelt', 'ulimit'] as const;
export type IsolationLevel = (typeof isolationLevels)[number];
