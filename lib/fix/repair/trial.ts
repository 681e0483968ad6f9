import { failedTests, type TestReport, type TestResult } from '../../core/project-tests.ts';
import type { Runner } from '../runners/runner.ts';
import type { Goals, TrialLimits } from './goals.ts';

export interface Trial {
  /** Failing tests that passed. */
  readonly passed: readonly string[];
  /** All of them passed, and no other test broke. */
  readonly isRepair: boolean;
  /** Some of them passed, and no other test broke. */
  readonly isProgress: boolean;
  /** The first test that decides against it; null if there is none, or the tests could not be run. */
  readonly failure: TestResult | null;
}

const nothing: Trial = { passed: [], isRepair: false, isProgress: false, failure: null };

export interface TrialInput {
  readonly runner: Runner;
  readonly goals: Goals;
  /** All files that differ from the project's own, including the candidate's. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Path of the file that the candidate is in. */
  readonly path: string;
  readonly limits: TrialLimits;
  /** A candidate that repairs only some of the failing tests must repair more than this many. */
  readonly above: number;
  /** Whether a failure is to be described, which takes an ordinary run. */
  readonly isExplained: boolean;
  readonly signal: AbortSignal;
}

/** Tries a candidate on the failing tests and, if it is good enough, on all tests. */
export async function tryCandidate(input: TrialInput): Promise<Trial> {
  const { runner, goals, files, path, limits, above, isExplained, signal } = input;
  const only = [...goals.failing];
  const { seconds, cpuSeconds } = limits;
  const trial = { candidate: path, passing: [...goals.passing], above, cpuSeconds };
  const request = { files, only, trace: false, stop: false, seconds };
  const first = await runner.run(isExplained ? request : { ...request, trial }, signal);
  const passed = first.fault === null ? passedOf(first, goals.failing) : [];
  const failure = failureIn(first, goals);
  if (passed.length === 0) return { ...nothing, failure };
  const isWhole = passed.length === goals.failing.size;
  const breaks = failedTests(first).some(({ id }) => goals.passing.has(id));
  if (breaks || (!isWhole && passed.length <= above)) return { ...nothing, passed, failure };
  const all = await runner.run({ files, only: null, trace: false, stop: false, seconds }, signal);
  const keeps = keepsPassing(all, goals.passing);
  const still = passedOf(all, goals.failing);
  return {
    passed: still,
    isRepair: keeps && still.length === goals.failing.size,
    isProgress: keeps && still.length > 0,
    failure: failureIn(all, goals),
  };
}

/** A test that has to pass, and fails; those that failed before come first. */
function failureIn(report: TestReport, { failing, passing }: Goals): TestResult | null {
  const failed = failedTests(report);
  return failed.find(({ id }) => failing.has(id)) ?? failed.find(({ id }) => passing.has(id)) ?? null;
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
