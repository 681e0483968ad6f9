import { createHash } from 'node:crypto';
import type { ExecuteRequest, Execution } from '../../core/ports.ts';
import type { AssertionCounts, IsolationLevel, Verdict } from '../../core/verdict.ts';
import type { CapturedOutput } from './captured-output.ts';
import { timeLimitFromNow, type Waited } from './time-limit.ts';

/** Milliseconds to wait for the remaining output of a process that has ended. */
export const outputGrace = 250;

/** A verdict on a candidate that was not run. */
export function unrun(verdict: Verdict, isolation: IsolationLevel): Execution {
  return { verdict, stdout: '', stderr: '', droppedBytes: 0, exitCode: null, seconds: 0, isolation };
}

/** Ends the candidate and adds its output to the verdict. */
export async function executionOf(
  {
    candidate,
    stdout,
    stderr,
  }: {
    readonly candidate: { kill(): void };
    readonly stdout: CapturedOutput;
    readonly stderr: CapturedOutput;
  },
  outcome: Pick<Execution, 'verdict' | 'exitCode' | 'seconds' | 'isolation'>,
): Promise<Execution> {
  candidate.kill();
  await Promise.all([stdout.ended(outputGrace), stderr.ended(outputGrace)]);
  return {
    ...outcome,
    stdout: stdout.text(),
    stderr: stderr.text(),
    droppedBytes: stdout.droppedBytes() + stderr.droppedBytes(),
  };
}

/**
 * Seconds in which assertions are counted after a verdict. What takes longer has no counts: partial ones would depend on
 * the speed of the system, and records are to be the same everywhere.
 */
export const countSeconds = 1;

/** What a running judge counts within the limit; see timeLimit. @param waited of its processes */
export async function countedInTime(
  counted: Promise<AssertionCounts>,
  waited: Waited,
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

/**
 * The seed of the judge's randomness, as 64 hexadecimal digits. The same execution always has the same one; a
 * candidate cannot compute it, because it does not have the tests and cannot contain a hash of itself.
 */
export function judgeSeed({ seed = 0, tests, candidate }: ExecuteRequest): string {
  const parts = [String(seed), tests, candidate];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}
