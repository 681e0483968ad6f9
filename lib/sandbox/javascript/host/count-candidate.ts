import type { AssertionCounts } from '../../../core/verdict.ts';
import { awaitReport } from '../../process/await-report.ts';
import { countSeconds, unlessEmpty } from '../../process/counting.ts';
import type { ExecutionPair } from './execution-pair.ts';
import type { Job } from './job.ts';

/**
 * Sends a new pair a candidate that has its verdict, with tests whose assertions are counted, and ends both processes.
 * Undefined if there is nothing to count, or it takes too long.
 */
export async function countCandidate(
  pair: ExecutionPair,
  job: Job,
  signal: AbortSignal,
): Promise<AssertionCounts | undefined> {
  try {
    pair.send(job);
    const { report, timedOut } = await awaitReport(pair, {
      timeoutSeconds: countSeconds,
      judgeGrace: 0,
      signal,
    });
    return timedOut || report?.kind !== 'counts' ? undefined : unlessEmpty(report.counts);
  } finally {
    await pair.destroy();
  }
}
