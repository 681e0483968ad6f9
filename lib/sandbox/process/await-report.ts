import { unlessAborted } from '../../core/async/unless-aborted.ts';
import type { Pair } from './pairs.ts';
import type { NoReport, Reporting } from './read-report.ts';
import { processorWait, timeLimit, timeLimitFromNow } from './time-limit.ts';

export interface ReportLimits {
  readonly timeoutSeconds: number;
  /** Milliseconds that the judge gets to report its position after the candidate was killed. */
  readonly judgeGrace: number;
  readonly signal: AbortSignal;
}

/** Milliseconds that the processes may take to start; a busy system is slow. */
const START_GRACE = 20_000;

/**
 * Waits for the judge's report. At the time limit, the candidate is killed; the judge notices and reports its
 * position. The report is null if it does not. Rejects with the signal's reason.
 */
export async function awaitReport<Report>(
  pair: Pair,
  { started, report: reported }: Reporting<Report>,
  { timeoutSeconds, judgeGrace, signal }: ReportLimits,
): Promise<{ readonly report: Report | NoReport | null; readonly timedOut: boolean }> {
  const over = new AbortController();
  let timedOut = false;
  const late = Promise.race([started, timeLimit(START_GRACE, pair.waited, over.signal)])
    .then(() => timeLimit(timeoutSeconds * 1000, pair.waited, over.signal))
    .then(() => {
      timedOut = true;
      pair.candidate.kill();
      return timeLimitFromNow(judgeGrace, () => processorWait(pair.judge.child.pid), over.signal);
    })
    .then(() => null);
  late.catch(() => {});
  try {
    const report = await unlessAborted(Promise.race([reported, late]), signal);
    return { report, timedOut };
  } finally {
    over.abort();
  }
}
