import type { SearchClock } from './search-clock.ts';

/**
 * Collects what a long computation yields, without nulls. It pauses for other work in between, and ends early
 * at the time limit. Rejects with the signal's reason soon after an abort.
 */
export async function collected<T>(
  computation: Iterable<T | null>,
  clock: SearchClock,
  signal?: AbortSignal,
): Promise<T[]> {
  const found: T[] = [];
  clock.begin();
  try {
    for (const value of computation) {
      if (value !== null) found.push(value);
      const paused = clock.pause(signal);
      if (paused) await paused;
      if (paused && clock.isUp()) break;
    }
  } finally {
    clock.end();
  }
  return found;
}
