import type { Attempt } from '../lib/core/attempt.ts';

/**
 * The final answer of an agent that must not run the hidden tests: its last candidate that can be run; the
 * buggy function itself only if there is no other. Null if none can be run.
 */
export function finalCandidate(attempts: readonly Attempt[]): string | null {
  const runnable = attempts.filter(
    ({ candidate, verdict }) => candidate !== null && !unrunnable.includes(verdict?.kind ?? ''),
  );
  const last = runnable.findLast(({ unchanged }) => !unchanged) ?? runnable.at(-1);
  return last?.candidate ?? null;
}

const unrunnable: readonly string[] = ['no-code', 'edit-not-applicable', 'syntax', 'signature'];
