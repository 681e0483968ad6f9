/** Candidates of a task's search, unless given. */
export const DEFAULT_BUDGET = 1000;

/** Seconds of processor time that a task's search may take, unless given. */
export const DEFAULT_SEARCH_SECONDS = 20;

/**
 * How many likeliest answers a model that writes edits is asked for, unless given: a third of them or more can be tried,
 * and that is to be enough for the attempts of the run.
 */
export function defaultBeams(iterations: number): number {
  return Math.min(64, Math.max(12, 3 * (iterations + 1)));
}
