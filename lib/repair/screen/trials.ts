import type { SearchClock } from '../enumerate/search-clock.ts';

/** How a program did. */
export interface Trial {
  readonly assertionsPassed: number;
  /** The index of the first failing assertion; -1 if all passed. */
  readonly missed: number;
  /** Whether it exceeded its steps or time, or ended the process. */
  readonly overran: boolean;
}

/** The result of trying programs one after the other. */
export interface Prescreened {
  /** Of the programs that were tried, in order. */
  readonly trials: readonly Trial[];
  /** Whether the last program tried passed all assertions. */
  readonly survived: boolean;
}

export interface PrescreenOptions {
  readonly clock: SearchClock;
  readonly signal?: AbortSignal | undefined;
  /** Processor seconds to try all programs; if omitted, only up to the first that passes. */
  readonly allWithin?: number | undefined;
}
