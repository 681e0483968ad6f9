import type { TestReport } from '../../core/project-tests.ts';
import type { Runner } from './runner.ts';

/**
 * If the tests take longer than this in total, failing ones are repeated once and passing ones not at all.
 */
const LONG_SECONDS = 10;
/** A test that fails half of the time by chance fails this often in a row once in 256 times. */
const RUNS = 8;

/** Seconds. */
export interface RepeatLimits {
  /** Of one test. */
  readonly seconds: number;
  /** Of the next run. */
  readonly left: () => number;
}

/**
 * Repeats the tests; those that both pass and fail are flaky. Failing tests are repeated more often, since a
 * change would seem to repair a test that fails by chance; once a test was flaky, passing ones are as well, since
 * they would seem to break. Tests that timed out are not repeated.
 * @param runners repeat them at once
 */
export async function findFlaky(
  runners: readonly Runner[],
  report: TestReport,
  { seconds, left }: RepeatLimits,
  signal: AbortSignal,
): Promise<string[]> {
  const inTime = report.tests.filter(({ timeout, outcome }) => !timeout && outcome !== 'skipped');
  const took = inTime.reduce((sum, test) => sum + (test.seconds ?? 0), 0);
  const again = inTime.filter(({ outcome }) => outcome === 'failed' || took < LONG_SECONDS);
  const flaky = new Set<string>();
  const runs = took < LONG_SECONDS / RUNS ? RUNS : 2;
  let run = 1;
  const repeat = async (runner: Runner): Promise<void> => {
    while (run < runs && again.some(({ id, outcome }) => outcome === 'failed' && !flaky.has(id))) {
      const isFirst = run++ === 1;
      // Where one test is flaky, others are likely to be.
      const isWanted = (outcome: string): boolean => isFirst || flaky.size > 0 || outcome === 'failed';
      const asked = again.filter(({ id, outcome }) => !flaky.has(id) && isWanted(outcome));
      const only = asked.map(({ id }) => id);
      const request = { files: new Map(), only, trace: false, stop: false, seconds, limit: left() };
      const next = await runner.run(request, signal);
      const outcomes = new Map(next.tests.map(({ id, outcome }) => [id, outcome]));
      for (const { id, outcome } of asked) if ((outcomes.get(id) ?? outcome) !== outcome) flaky.add(id);
    }
  };
  await Promise.all(runners.map(repeat));
  return [...flaky];
}
