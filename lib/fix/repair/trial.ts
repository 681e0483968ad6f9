import { failedTests, type TestReport, type TestResult } from '../../core/project-tests.ts';
import { executes, type ProjectFunction } from '../localise/functions.ts';
import type { Runner } from '../runners/runner.ts';

export interface Trial {
  /** Failing tests that passed. */
  readonly passed: readonly string[];
  /** All of them passed, and no other test broke. */
  readonly isRepair: boolean;
  /** Some of them passed, and no other test broke. */
  readonly isProgress: boolean;
  /** Whether the tests were run, however that ended. */
  readonly isTried: boolean;
}

const nothing = { passed: [], isRepair: false, isProgress: false, isTried: true } as const;

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
  const trial = { candidate: path, passing: [...goals.passing], above, slow: goals.slow };
  const request = { files, only, trace: false, stop: false, seconds, cpuSeconds, trial };
  const first = await runner.run(request, signal);
  const passed = first.fault === null ? passedOf(first, goals.failing) : [];
  if (passed.length === 0) return { ...nothing, isTried: first.broken !== true };
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
    isTried: true,
  };
}

/** A test that is missing from the report did not pass. Tests may share a name, which passes if all of them do. */
export function keepsPassing(report: TestReport, passing: ReadonlySet<string>): boolean {
  return passedOf(report, passing).length === passing.size;
}

export function passedOf(report: TestReport, wanted: ReadonlySet<string>): string[] {
  const failed = new Set(failedTests(report).map(({ id }) => id));
  const passed = report.tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
  return [...new Set(passed)].filter(id => wanted.has(id) && !failed.has(id));
}

/** What the tests must show before and after a repair. */
interface Goals {
  /** Failing tests that the functions may be responsible for. */
  readonly failing: ReadonlySet<string>;
  /** Tests that passed before; all of them must still pass. */
  readonly passing: ReadonlySet<string>;
  /** Those of both that take long. */
  readonly slow: readonly string[];
}

/** Seconds from which a test is slow. */
const SLOW = 0.5;

/** The failing tests that execute one of the functions; all failing tests if that is unknown. */
export function goalsOf(tests: readonly TestResult[], functions: readonly ProjectFunction[]): Goals {
  const failing = tests.filter(({ outcome }) => outcome === 'failed');
  const executing = failing.filter(test => functions.some(each => executes(test, each)));
  const ids = (of: readonly TestResult[]): Set<string> => new Set(of.map(({ id }) => id));
  return {
    failing: ids(executing.length > 0 ? executing : failing),
    passing: ids(tests.filter(({ outcome }) => outcome === 'passed')),
    slow: tests.filter(({ seconds = 0 }) => seconds >= SLOW).map(({ id }) => id),
  };
}

/** Wall-clock and processor time of one test. */
interface TrialLimits {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/**
 * Limit for one test of a candidate: five times the slowest test that ended, but long enough for a slow
 * machine.
 */
export function limitsFor(tests: readonly TestResult[], timeout: number): TrialLimits {
  const ended = tests.filter(test => test.outcome !== 'skipped' && !test.timeout);
  const slowest = Math.max(0, ...ended.map(({ seconds = 0 }) => seconds));
  return {
    seconds: Math.min(timeout, Math.max(1, 5 * slowest)),
    cpuSeconds: Math.min(timeout, Math.max(0.3, 5 * slowest)),
  };
}
