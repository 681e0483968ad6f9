import { z } from 'zod';
import type { TestCounts } from '../report.ts';

/** Runs a project's tests inside a jail, in a copy with some files replaced. */
export interface Runner {
  /** The test framework: `pytest 9.2.0`, `node:test`. */
  readonly name: string;
  /** Starts the process that the next run needs, if there is none. */
  start(): void;
  /** Rejects with a HefixError if the jail failed, never because of the project's code. */
  run(request: RunRequest, signal: AbortSignal): Promise<TestReport>;
  close(): Promise<void>;
}

export interface RunRequest {
  /** Files that replace the project's own, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Ids of the tests to run; null for all. */
  readonly only: readonly string[] | null;
  /** Record which lines each test executes. */
  readonly trace: boolean;
  /** Stop after the first test that fails. */
  readonly stop: boolean;
  /** Wall-clock limit of one test, in seconds. */
  readonly seconds: number;
  /** A faster way to try one of many candidates, if the runner has one. */
  readonly trial?: TrialRequest;
}

/**
 * Runs the tests of `only` and, if enough of them pass, the others until one fails. The process may have
 * loaded the project before, so an ordinary run must confirm the result.
 */
export interface TrialRequest {
  /** Path of the file, among `files`, that holds the candidate. */
  readonly candidate: string;
  /** Tests that passed. */
  readonly passing: readonly string[];
  /** More than this many tests of `only` must pass, unless all do. */
  readonly above: number;
  /** Limit on the processor time of one test. */
  readonly cpuSeconds: number;
}

/** A line of a file, by its path in the project; 1-based. */
const placeSchema = z.tuple([z.string(), z.number().int()]);

const testResultSchema = z.object({
  id: z.string(),
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
  frames: z.array(placeSchema).optional(),
  seconds: z.number().optional(),
  /** Function lines that the test executed, by file, if requested. */
  lines: z.record(z.string(), z.array(z.number().int())).optional(),
});
export type TestResult = z.infer<typeof testResultSchema>;

export const testReportSchema = z.object({
  tests: z.array(testResultSchema),
  /** Why tests could not be collected, as the framework says; null if they were. */
  fault: z.string().nullable(),
});
export type TestReport = z.infer<typeof testReportSchema>;

/** Which tests to run, and how the project's modules are found. */
export interface TestPlan {
  /** Test files and folders, relative to the project; empty to let the framework find them. */
  readonly tests: readonly string[];
  /** Modules whose docstring examples are the tests; usually empty. */
  readonly doctest: readonly string[];
  /** Modules whose names assertions use without importing them. */
  readonly sources: readonly string[];
  /** The function that `check(candidate)` receives. */
  readonly entryPoint: string | null;
}

export function failedTests({ tests }: { readonly tests: readonly TestResult[] }): TestResult[] {
  return tests.filter(({ outcome }) => outcome === 'failed');
}

export function countsOf({ tests }: TestReport): TestCounts {
  const count = (wanted: string): number => tests.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
