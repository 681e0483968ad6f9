import { z } from 'zod';

/** Results of a project's own tests. */

/** A line of a file, by its path in the project; 1-based. */
const placeSchema = z.tuple([z.string(), z.number().int()]);

/** Code of the project may have made a report. */
const MAX_TESTS = 100_000;
const MAX_FRAMES = 1000;
const MAX_ID_LENGTH = 2 ** 16;

const testResultSchema = z.object({
  id: z.string().max(MAX_ID_LENGTH),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  timeout: z.boolean().optional(),
  /** Type and message of the exception. */
  type: z.string().optional(),
  message: z.string().optional(),
  /** The failing statement of the tests; 1-based line of its file. */
  test: z.object({ line: z.number().int(), source: z.string() }).optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** Traceback lines in the project, the innermost last. */
  frames: z.array(placeSchema).max(MAX_FRAMES).optional(),
  /** What the test asked of its surroundings and did not get: a kind, a name, and whether it ended with that. */
  missing: z
    .array(z.tuple([z.string(), z.string(), z.boolean()]))
    .max(MAX_FRAMES)
    .optional(),
  seconds: z.number().optional(),
  /** Function lines that the test executed, by file, if requested. */
  lines: z.record(z.string(), z.array(z.number().int())).optional(),
});
export type TestResult = z.infer<typeof testResultSchema>;

export const testReportSchema = z.object({
  tests: z.array(testResultSchema).max(MAX_TESTS),
  /** Why tests could not be collected, as the framework says; null if they were. */
  fault: z.string().nullable(),
  /** The test that ended the process that ran it. */
  ended: z.string().optional(),
  /** The program that runs the framework failed, as `fault` says: nothing is known of the tests. */
  broken: z.boolean().optional(),
  /** What code that hefix added to the project wrote. */
  notes: z.string().optional(),
});
export type TestReport = z.infer<typeof testReportSchema>;

/** A report with the lines that another run of the same tests recorded. */
export function withLines(report: TestReport, traced: TestReport): TestReport {
  const lines = new Map(traced.tests.map(test => [test.id, test.lines]));
  const tests = report.tests.map(test => {
    const recorded = test.lines ?? lines.get(test.id);
    return recorded ? { ...test, lines: recorded } : test;
  });
  return { ...report, tests };
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function failedTests({ tests }: { readonly tests: readonly TestResult[] }): TestResult[] {
  return tests.filter(({ outcome }) => outcome === 'failed');
}

export function countsOf({ tests }: Pick<TestReport, 'tests'>): TestCounts {
  const count = (wanted: string): number => tests.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
