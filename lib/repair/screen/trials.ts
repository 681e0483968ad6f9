import type { Trial } from '../../../machines/actors.ts';
import type { SearchClock } from '../enumerate/search-clock.ts';

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
