import type { Runner, TestReport } from './runner.ts';

/** Tests that together take longer than this are asked a second time only, and those that passed not at all. */
const LONG_SECONDS = 10;
/** A test that fails every other time by chance fails so often in a row once in 500 times. */
const RUNS = 8;

/**
 * Runs the tests again: those that pass in one run and fail in another are flaky. The failing ones are asked more often,
 * for a change of the code would seem to repair what fails by chance. Tests that ran out of time are not asked again.
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
  const flaky = new Set<string>();
  const runs = took < LONG_SECONDS / RUNS ? RUNS : 2;
  for (let run = 1; run < runs; run++) {
    const asked = again.filter(({ id, outcome }) => !flaky.has(id) && (run === 1 || outcome === 'failed'));
    if (!asked.some(({ outcome }) => outcome === 'failed')) break;
    const only = asked.map(({ id }) => id);
    const next = await runner.run({ files: new Map(), only, trace: false, stop: false, seconds }, signal);
    const outcomes = new Map(next.tests.map(({ id, outcome }) => [id, outcome]));
    for (const { id, outcome } of asked) if ((outcomes.get(id) ?? outcome) !== outcome) flaky.add(id);
  }
  return [...flaky];
}
