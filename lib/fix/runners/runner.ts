import type { TestReport } from '../../core/project-tests.ts';

/** Runs a project's tests inside a jail, in a copy with some files replaced. */
export interface Runner {
  /** The test framework: `pytest 9.2.0`, `node:test`. */
  readonly name: string;
  /** Whether nothing that earlier runs set is there in a run that is `apart`. */
  readonly separates: boolean;
  /** Starts the process that the next run needs, if there is none. */
  start(): void;
  /** Rejects with a HefixError if the jail failed or many runs broke one after another, and if aborted. */
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
  /** With `trace`, also record for failing tests which lines are executed when modules are imported (Python). */
  readonly imports?: boolean;
  /** Stop after the first test that fails. */
  readonly stop: boolean;
  /** Wall-clock limit of one test, in seconds. */
  readonly seconds: number;
  /** Nothing that earlier runs set may be there, if the runner `separates` them, which takes longer. */
  readonly apart?: boolean;
  /** Limit on the processor time of one test; none if omitted. */
  readonly cpuSeconds?: number;
  /** Wall-clock limit of the whole run, in seconds; by default one that leaves time for tests that use up theirs. */
  readonly limit?: number;
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
  /** Tests to run after the others (Python), and not at all if no other test of `only` passes. */
  readonly slow?: readonly string[];
}

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
