import type { Runner, TestReport } from './runner.ts';

/** A second run that would take longer than this is spared those tests that passed. */
const LONG_SECONDS = 10;

/**
 * Runs the tests a second time: those that pass in one run and fail in the other are flaky. Tests that ran out of time
 * are not asked again.
 */
export async function findFlaky(
  runner: Runner,
  report: TestReport,
  seconds: number,
  signal: AbortSignal,
): Promise<string[]> {
  const inTime = report.tests.filter(({ timeout, outcome }) => !timeout && outcome !== 'skipped');
  const took = inTime.reduce((sum, test) => sum + (test.seconds ?? 0), 0);
  const again = inTime.filter(({ outcome }) => outcome === 'failed' || took < LONG_SECONDS);
  if (!again.some(({ outcome }) => outcome === 'failed')) return [];
  const only = again.map(({ id }) => id);
  const second = await runner.run({ files: new Map(), only, trace: false, stop: false, seconds }, signal);
  const outcomes = new Map(second.tests.map(({ id, outcome }) => [id, outcome]));
  return again.filter(({ id, outcome }) => (outcomes.get(id) ?? outcome) !== outcome).map(({ id }) => id);
}
