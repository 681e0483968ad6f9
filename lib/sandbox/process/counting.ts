import type { Execution } from '../../core/ports.ts';
import type { AssertionCounts } from '../../core/verdict.ts';
import { timeLimitFromNow } from './time-limit.ts';

/**
 * Seconds in which assertions are counted after a verdict. What takes longer has no counts: partial ones would depend on
 * the speed of the system, and records are to be the same everywhere.
 */
export const countSeconds = 1;

/** What a running judge counts within the limit; see timeLimit. @param waited of its processes */
export async function countedInTime(
  counted: Promise<AssertionCounts>,
  waited: () => number,
): Promise<AssertionCounts | undefined> {
  const over = new AbortController();
  const late = timeLimitFromNow(1000 * countSeconds, waited, over.signal).then(() => undefined);
  late.catch(() => {});
  try {
    return unlessEmpty(await Promise.race([counted, late]));
  } finally {
    over.abort();
  }
}

/** Other verdicts say that the candidate cannot be run again. */
export function canBeCounted({ verdict }: Pick<Execution, 'verdict'>): boolean {
  return verdict.kind === 'failed' || verdict.kind === 'raised';
}

export function unlessEmpty(counts: AssertionCounts | undefined): AssertionCounts | undefined {
  return counts && counts.passed + counts.failed > 0 ? counts : undefined;
}
