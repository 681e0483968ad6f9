import type { Runner, TestReport } from '../runners/runner.ts';
import { failedTests } from '../runners/runner.ts';

/** What the tests have to say before and after a repair. */
export interface Goals {
  /** Failing tests that the function can be held responsible for. */
  readonly failing: ReadonlySet<string>;
  /** Tests that passed, all of which have to pass again. */
  readonly passing: ReadonlySet<string>;
}

export interface Trial {
  /** Failing tests that passed. */
  readonly passed: readonly string[];
  /** All of them passed, and no other test broke. */
  readonly isRepair: boolean;
  /** Some of them passed, and no other test broke. */
  readonly isProgress: boolean;
}

const nothing: Trial = { passed: [], isRepair: false, isProgress: false };

export interface TrialInput {
  readonly runner: Runner;
  readonly goals: Goals;
  /** All files that differ from the project's own, including the candidate's. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly seconds: number;
  /** Whether a candidate that makes some failing tests pass is worth running the other tests. */
  readonly wantsProgress: (passed: number) => boolean;
  readonly signal: AbortSignal;
}

/** Tries a candidate on the failing tests and, if it is good enough, on all tests. */
export async function tryCandidate(input: TrialInput): Promise<Trial> {
  const { runner, goals, files, seconds, wantsProgress, signal } = input;
  const only = [...goals.failing];
  const first = await runner.run({ files, only, trace: false, stop: false, seconds }, signal);
  const passed = first.fault === null ? passedOf(first, goals.failing) : [];
  if (passed.length === 0) return nothing;
  const isWhole = passed.length === goals.failing.size;
  if (!isWhole && !wantsProgress(passed.length)) return { ...nothing, passed };
  const all = await runner.run({ files, only: null, trace: false, stop: false, seconds }, signal);
  const keeps = keepsPassing(all, goals.passing);
  const still = passedOf(all, goals.failing);
  return {
    passed: still,
    isRepair: keeps && still.length === goals.failing.size,
    isProgress: keeps && still.length > 0,
  };
}

/** A test that is missing from the report did not pass. */
export function keepsPassing(report: TestReport, passing: ReadonlySet<string>): boolean {
  return passedOf(report, passing).length === passing.size;
}

function passedOf(report: TestReport, wanted: ReadonlySet<string>): string[] {
  const failed = new Set(failedTests(report).map(({ id }) => id));
  return report.tests
    .filter(({ id, outcome }) => outcome === 'passed' && wanted.has(id) && !failed.has(id))
    .map(({ id }) => id);
}
