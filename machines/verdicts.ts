import type { Attempt } from '../lib/core/attempt.ts';

/** What a verdict means for the next step; nothing else decides that. */

type Judged = Pick<Attempt, 'verdict'> & Partial<Pick<Attempt, 'repeated' | 'counts'>>;

/** Why the last answer is not the last one: each has a prompt of its own. */
export type Failure = 'malformed' | 'repeated' | 'unrunnable' | 'failed';

/** `malformed` is also unrunnable: the answer had no code, or no readable call. */
export function failureOf(attempt: Judged | undefined): Failure {
  if (attempt?.verdict?.kind === 'no-code') return 'malformed';
  if (attempt?.repeated) return 'repeated';
  return attempt && isUnrunnable(attempt) ? 'unrunnable' : 'failed';
}

/** The candidate could not be run, which no test says. */
export function isUnrunnable({ verdict }: Pick<Judged, 'verdict'>): boolean {
  return verdict !== null && unrunnable.includes(verdict.kind);
}

const unrunnable: readonly string[] = ['no-code', 'edit-not-applicable', 'syntax', 'signature'];

/**
 * The attempt that the next prompt is about: the last, unless an earlier one passes more assertions.
 * @returns its index; -1 if there is none
 */
export function indexToImprove(attempts: readonly Judged[]): number {
  const last = attempts.at(-1);
  if (!last?.counts || failureOf(last) !== 'failed') return attempts.length - 1;
  const passed = attempts.map(({ counts }) => counts?.passed ?? -1);
  return passed.lastIndexOf(Math.max(...passed));
}

/**
 * The final answer of an agent that must not run the hidden tests: its last candidate that can be run; the
 * buggy function itself only if there is no other. Null if none can be run.
 */
export function finalCandidate(
  attempts: readonly Pick<Attempt, 'candidate' | 'verdict' | 'unchanged'>[],
): string | null {
  const runnable = attempts.filter(attempt => attempt.candidate !== null && !isUnrunnable(attempt));
  const last = runnable.findLast(({ unchanged }) => !unchanged) ?? runnable.at(-1);
  return last?.candidate ?? null;
}
