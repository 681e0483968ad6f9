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

/**
 * How many assertions of the tests hold, each tried on its own after the verdict. Information only, which decides no
 * verdict: a candidate can behave differently then.
 */
export const assertionCountsSchema = z.object({
  passed: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  /** The first assertions that fail, in the order in which they ran; one of a loop stands for all its passes. */
  failing: z.array(z.object({ line: z.number().int(), source: z.string() })),
  /** Some assertions were not reached: the limit on their number, an exception outside of them, or the process's end. */
  partial: z.literal(true).optional(),
  /** Set if tests of a project are counted instead of assertions: `source` is a test's name, that which decided is the first. */
  unit: z.literal('tests').optional(),
});
export type AssertionCounts = z.infer<typeof assertionCountsSchema>;

/** Isolation levels of candidates, strongest first. */
export const isolationLevels = ['bubblewrap', 'namespaces', 'docker', 'seatbelt', 'ulimit'] as const;
export type IsolationLevel = (typeof isolationLevels)[number];
