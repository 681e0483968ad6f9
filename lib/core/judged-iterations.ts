import type { Feedback } from './choices.ts';

/**
 * The repair iterations of a run. The agent `search` has none: its records count the candidates that were tried on the
 * hidden tests before the last one.
 */
export function repairsOf({ search, iters }: { readonly search?: unknown; readonly iters: number }): number {
  return search === undefined ? iters : 0;
}

/** The required fields of a record. */
interface Judged {
  readonly passed: boolean | null;
  readonly feedback: Feedback;
  readonly attempts: readonly { readonly iteration: number; readonly verdict: unknown }[];
}

/**
 * The last judged iteration of a run: infinity if the run finished, −1 if nothing was judged. Without test
 * feedback, attempts have no verdict of the hidden tests.
 */
export function judgedThrough(record: Judged): number {
  if (record.passed !== null) return Number.POSITIVE_INFINITY;
  if (record.feedback !== 'tests') return -1;
  return record.attempts.findLast(({ verdict }) => verdict !== null)?.iteration ?? -1;
}

/** Whether the first candidate that the hidden tests saw passed, or the final one of a search; null if none was judged. */
export function firstCandidatePassed(
  record: Judged & { readonly search?: unknown; readonly iters: number },
): boolean | null {
  if (judgedThrough(record) < 0) return null;
  // Without test feedback, the hidden tests see one candidate only.
  return record.passed === true && (record.feedback !== 'tests' || repairsOf(record) === 0);
}
