import { z } from 'zod';

/** Schemas of fields, each with its description, which docs/formats.md and the tools' schemas show. */

export const text = (about: string) => z.string().describe(about);
export const flag = (about: string) => z.boolean().describe(about);
export const whole = (about: string) => z.number().int().describe(about);
/** A whole number from 0 on. */
export const count = (about: string) => z.number().int().nonnegative().describe(about);
/** A whole number from 1 on. */
export const positive = (about: string) => z.number().int().positive().describe(about);
/** A number from 0 on, such as seconds. */
export const amount = (about: string) => z.number().nonnegative().describe(about);

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
   * The answer is an edit that does not fit the code: for example no such line, no such text in it, or no change.
   */
  'edit-not-applicable',
  /** The candidate ended its process. */
  'exited',
  /** The candidate returned a value that cannot be sent to the judge. */
  'not-serializable',
] as const;
export type VerdictKind = (typeof verdictKinds)[number];

export const verdictSchema = z.object({
  kind: z.enum(verdictKinds).describe('what the sandbox found out'),
  message: text('one sentence to show'),
  test: z
    .object({ line: whole('1-based'), source: text('its text') })
    .optional()
    .describe('the line of the tests that decided'),
  expected: text('the expected value as text, shortened').optional(),
  actual: text('the actual value as text, shortened').optional(),
  exception: z
    .object({
      type: text('its class'),
      message: text('its text'),
      line: whole("the candidate's line that raised; 1-based").optional(),
    })
    .optional()
    .describe('what the candidate raised'),
});
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * How many assertions of the tests hold, each tried on its own after the verdict. Information only, which decides no
 * verdict: a candidate can behave differently then.
 */
export const assertionCountsSchema = z.object({
  passed: count('assertions that pass'),
  failed: count('assertions that fail'),
  failing: z
    .array(z.object({ line: whole('1-based'), source: text('its text') }))
    .describe(
      'the first assertions that fail, in the order in which they ran; one of a loop stands for all its passes',
    ),
  partial: z
    .literal(true)
    .optional()
    .describe(
      "set if some assertions were not reached: the limit on their number, an exception outside of them, or the process's end",
    ),
  unit: z
    .literal('tests')
    .optional()
    .describe(
      "set if tests of a project are counted instead of assertions: `source` is a test's name, the one that decided is the first",
    ),
});
export type AssertionCounts = z.infer<typeof assertionCountsSchema>;

/** Isolation levels of candidates, strongest first. */
export const isolationLevels = ['bubblewrap', 'namespaces', 'docker', 'seatbelt', 'ulimit'] as const;
export type IsolationLevel = (typeof isolationLevels)[number];
