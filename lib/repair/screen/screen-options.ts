import type { SearchClock } from '../enumerate/search-clock.ts';

export interface ScreenOptions {
  readonly clock: SearchClock;
  readonly signal?: AbortSignal | undefined;
}
