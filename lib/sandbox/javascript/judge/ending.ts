import type { Report } from '../host/job.ts';
import type { Reach } from './assertions/reach.ts';
import type { TestRun } from './run-tests.ts';

export interface Ending {
  readonly entryPoint: string;
  readonly run: TestRun | undefined;
  readonly reach: Reach;
  /** Whether the tests ended the process themselves. */
  readonly isEnding: boolean;
  /** Whether the tests throw their own errors, which counts as asserting. */
  readonly throws: boolean;
  /** Number of calls of the candidate. */
  readonly calls: number;
  /** Number of the candidate's promises that never settle. */
  readonly unsettled: number;
  /** Whether the tests wait for a promise. */
  readonly isWaiting: boolean;
}

/** The report once nothing is left to run and nothing failed; `exit` listeners have run. */
export function reportAtEnd(ending: Ending): Report {
  const { entryPoint, run, reach, isEnding, throws, calls, unsettled, isWaiting } = ending;
  const failed = (message: string): Report => ({ kind: 'verdict', verdict: { kind: 'failed', message } });
  if (process.exitCode) return failed(`The tests exit with status ${process.exitCode}.`);
  if (unsettled > 0) return failed(`${entryPoint} gave a promise that never settles.`);
  if ((!run?.finished() || isWaiting) && !isEnding)
    return failed('The tests wait for something that never happens.');
  if (calls === 0) return { kind: 'tests invalid', what: `never call ${entryPoint}` };
  if (!run?.assertions() && !throws)
    return failed('The tests ended without reaching one of their assertions.');
  const unreached = reach.unreached();
  if (unreached !== undefined)
    return failed(`The test in line ${unreached} ended without reaching one of its assertions.`);
  const unregistered = reach.unregistered();
  if (unregistered !== undefined) return failed(`The test in line ${unregistered} was never registered.`);
  return { kind: 'verdict', verdict: { kind: 'passed', message: 'All tests passed.' } };
}

/** Tests may assert in `exit` listeners; `own` is ours. */
export function runExitListeners(own: () => void): void {
  const listeners = process.listeners('exit').filter(listener => listener !== own);
  process.removeAllListeners('exit');
  for (const listener of listeners) Reflect.apply(listener, process, [Number(process.exitCode ?? 0)]);
}
