import type { AssertionCounts } from '../../../core/verdict.ts';
import { awaitReport } from '../../process/await-report.ts';
import { countSeconds, unlessEmpty } from '../../process/counting.ts';
import type { Pair } from '../../process/pairs.ts';
import { type Job, sendJob } from './job.ts';

/**
 * Sends a new pair a candidate that has its verdict, with tests whose assertions are counted, and ends both processes.
 * Undefined if there is nothing to count, or it takes too long.
 */
export async function countCandidate(
  pair: Pair,
  job: Job,
  signal: AbortSignal,
): Promise<AssertionCounts | undefined> {
  try {
    const limits = { timeoutSeconds: countSeconds, judgeGrace: 0, signal };
    const { report, timedOut } = await awaitReport(pair, sendJob(pair, job), limits);
    const isCounted = typeof report === 'object' && report?.kind === 'counts' && !timedOut;
    return isCounted ? unlessEmpty(report.counts) : undefined;
  } finally {
    await pair.destroy();
  }
}
