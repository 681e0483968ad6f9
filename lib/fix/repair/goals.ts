import type { TestResult } from '../../core/project-tests.ts';
import { executes, type ProjectFunction } from '../localise/functions.ts';

/** What the tests must show before and after a repair. */
export interface Goals {
  /** Failing tests that the functions may be responsible for. */
  readonly failing: ReadonlySet<string>;
  /** Tests that passed before; all of them must still pass. */
  readonly passing: ReadonlySet<string>;
}

/** The failing tests that execute one of the functions; all failing tests if that is unknown. */
export function goalsOf(tests: readonly TestResult[], functions: readonly ProjectFunction[]): Goals {
  const failing = tests.filter(({ outcome }) => outcome === 'failed');
  const executing = failing.filter(test => functions.some(each => executes(test, each)));
  const ids = (of: readonly TestResult[]): Set<string> => new Set(of.map(({ id }) => id));
  return {
    failing: ids(executing.length > 0 ? executing : failing),
    passing: ids(tests.filter(({ outcome }) => outcome === 'passed')),
  };
}

/** Wall-clock and processor time of one test. */
export interface TrialLimits {
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
