import type { Attempt } from '../lib/core/attempt.ts';

/**
 * What an agent hands in that may not ask the tests that decide: its last candidate that can be run,
 * the buggy function itself only if it has no other. Null if none can be run.
 */
export function finalCandidate(attempts: readonly Attempt[]): string | null {
  const runnable = attempts.filter(
    ({ candidate, verdict }) => candidate !== null && !unrunnable.includes(verdict?.kind ?? ''),
  );
  const last = runnable.findLast(({ unchanged }) => !unchanged) ?? runnable.at(-1);
  return last?.candidate ?? null;
}

const unrunnable: readonly string[] = ['no-code', 'edit-not-applicable', 'syntax', 'signature'];
