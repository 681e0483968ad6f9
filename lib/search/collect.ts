import type { SearchClock } from './search-clock.ts';

/**
 * What a long computation yields, nulls left out. It gives way to other work in between, and ends early when the time
 * is up. Rejects with the signal's reason soon after it is aborted.
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
