import { z } from 'zod';
import type { TestCounts } from '../report.ts';

/** Runs a project's tests in a copy of it, inside a jail, with some of its files replaced. */
export interface Runner {
  /** What runs the tests: `pytest 9.2.0`, `node:test`. */
  readonly name: string;
  /** Rejects with a HefixError if the jail failed, never for what the project's code does. */
  run(request: RunRequest, signal: AbortSignal): Promise<TestReport>;
  close(): Promise<void>;
}

export interface RunRequest {
  /** Files that take the place of the project's own, by their paths in it. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Ids of the tests to run; null for all. */
  readonly only: readonly string[] | null;
  /** Note which lines each test executes. */
  readonly trace: boolean;
  /** End with the first test that fails. */
  readonly stop: boolean;
  /** Wall-clock seconds that one test may take. */
  readonly seconds: number;
}

/** A line of a file, by its path in the project; 1-based. */
const placeSchema = z.tuple([z.string(), z.number().int()]);

const testResultSchema = z.object({
  id: z.string(),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  timeout: z.boolean().optional(),
  /** Name of the exception's type, and what it said. */
  type: z.string().optional(),
  message: z.string().optional(),
  /** The statement of the tests that failed; 1-based line of its file. */
  test: z.object({ line: z.number().int(), source: z.string() }).optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** The traceback's lines in the project, the innermost last. */
  frames: z.array(placeSchema).optional(),
  seconds: z.number().optional(),
  /** Lines of functions that the test executed, by file; where that was asked for. */
  lines: z.record(z.string(), z.array(z.number().int())).optional(),
});
export type TestResult = z.infer<typeof testResultSchema>;

export const testReportSchema = z.object({
  tests: z.array(testResultSchema),
  /** Why tests could not be collected, in the runner's own words; null if they could. */
  fault: z.string().nullable(),
});
export type TestReport = z.infer<typeof testReportSchema>;

/** What tests to run, and how the project's modules are found. */
export interface TestPlan {
  /** Files and folders of tests, by their paths in the project; empty to let the framework find them. */
  readonly tests: readonly string[];
  /** Modules whose docstrings' examples are the tests; empty unless they are. */
  readonly doctest: readonly string[];
  /** Modules that assertions without imports mean. */
  readonly sources: readonly string[];
  /** The function that `check(candidate)` is given. */
  readonly entryPoint: string | null;
}

export function failedTests({ tests }: { readonly tests: readonly TestResult[] }): TestResult[] {
  return tests.filter(({ outcome }) => outcome === 'failed');
}

export function countsOf({ tests }: TestReport): TestCounts {
  const count = (wanted: string): number => tests.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
