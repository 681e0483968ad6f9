import { failedTests, type Runner, type TestReport } from '../runners/runner.ts';
import type { Goals, TrialLimits } from './goals.ts';

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
  /** Path of the file that the candidate is in. */
  readonly path: string;
  readonly limits: TrialLimits;
  /** A candidate that repairs only some of the failing tests must repair more than this many. */
  readonly above: number;
  readonly signal: AbortSignal;
}

/** Tries a candidate on the failing tests and, if it is good enough, on all tests. */
export async function tryCandidate(input: TrialInput): Promise<Trial> {
  const { runner, goals, files, path, limits, above, signal } = input;
  const only = [...goals.failing];
  const { seconds, cpuSeconds } = limits;
  const trial = { candidate: path, passing: [...goals.passing], above, cpuSeconds };
  const first = await runner.run({ files, only, trace: false, stop: false, seconds, trial }, signal);
  const passed = first.fault === null ? passedOf(first, goals.failing) : [];
  if (passed.length === 0) return nothing;
  const isWhole = passed.length === goals.failing.size;
  const breaks = failedTests(first).some(({ id }) => goals.passing.has(id));
  if (breaks || (!isWhole && passed.length <= above)) return { ...nothing, passed };
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
