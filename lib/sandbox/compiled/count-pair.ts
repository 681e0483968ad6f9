import type { AssertionCounts } from '../../core/verdict.ts';
import { awaitReport } from '../process/await-report.ts';
import { countSeconds, unlessEmpty } from '../process/counting.ts';
import type { Pair } from '../process/pairs.ts';
import { readReport } from '../process/read-report.ts';
import { parseReport } from './judge-report.ts';
import { testOf } from './verdict-of-report.ts';

/**
 * What a judge counts that was just started for it, after the candidate's verdict; undefined if there is nothing to
 * count, or it takes too long. The caller destroys the pair.
 */
export async function countPair(
  pair: Pair,
  tests: string,
  signal: AbortSignal,
): Promise<AssertionCounts | undefined> {
  const limits = { timeoutSeconds: countSeconds, judgeGrace: 0, signal };
  const { report, timedOut } = await awaitReport(pair, readReport(pair.channel, parseReport), limits);
  if (timedOut || report === null || typeof report === 'string' || report.kind !== 'counted')
    return undefined;
  const [passed = 0, failed = 0, ...lines] = (report.message ?? '').split(' ').map(Number);
  return unlessEmpty({
    passed,
    failed,
    failing: lines.flatMap(line => testOf({ line }, tests).test ?? []),
    ...(report.type === 'partial' && { partial: true }),
  });
}
