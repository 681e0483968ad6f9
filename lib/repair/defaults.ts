/** Default number of candidates of a task's search. */
export const DEFAULT_BUDGET = 1000;

/** Default processor time limit of a task's search, in seconds. */
export const DEFAULT_SEARCH_SECONDS = 20;

/**
 * Default number of likeliest answers of a model that writes edits: about a third of them can be run, which
 * is enough for the attempts of a run.
 */
export function defaultBeams(iterations: number): number {
  return Math.min(64, Math.max(12, 3 * (iterations + 1)));
}
