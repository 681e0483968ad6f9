import { joinSignals } from '../../core/join-signals.ts';
import { type Found, type FunctionSearch, searchFunction } from './function-search.ts';
import type { RoundInput } from './repair-state.ts';

/** Number of functions to try, and of candidates of each before the next function gets its turn. */
const MAX_SUSPECTS = 8;
const FIRST_CANDIDATES = 60;
const MAX_PAIRED_SUSPECTS = 3;

/**
 * Searches for the repair of one function: the most promising candidates of each suspect, then their other
 * candidates, then pairs. A candidate that makes all failing tests pass that execute its function is taken at
 * once; otherwise the one that makes most of them pass. Null if no candidate makes any pass without breaking
 * another.
 */
export async function repairRound(input: RoundInput): Promise<Found | null> {
  // Results of the model that arrive after the round are not needed.
  const over = new AbortController();
  const joined = joinSignals(input.signal, over.signal);
  const ownInput = { ...input, signal: joined.signal };
  const searches = input.suspects.slice(0, MAX_SUSPECTS).map(suspect => searchFunction(ownInput, suspect));
  try {
    return await searchAll(searches, joined.signal);
  } finally {
    over.abort();
    joined.release();
    for (const search of searches) search.close();
  }
}

async function searchAll(searches: readonly FunctionSearch[], signal: AbortSignal): Promise<Found | null> {
  for (const count of [FIRST_CANDIDATES, Number.POSITIVE_INFINITY]) {
    for (const [place, search] of searches.entries()) {
      // The model ranks candidates of the next function while this one is tried.
      void search.ranked().then(() => searches[place + 1]?.ranked());
      const found = await search.trySingles(count);
      if (found) return found;
      signal.throwIfAborted();
    }
  }
  const best = searches.flatMap(search => search.progress() ?? []).toSorted((a, b) => b.passed - a.passed)[0];
  if (best) return best;
  for (const search of searches.slice(0, MAX_PAIRED_SUSPECTS)) {
    const found = await search.tryPairs();
    if (found) return found;
  }
  return searches.flatMap(search => search.progress() ?? [])[0] ?? null;
}
