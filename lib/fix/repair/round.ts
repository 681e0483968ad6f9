import type { Suspect } from '../../../machines/project-actors.ts';
import { joinSignals } from '../../core/async.ts';
import type { Runner } from '../runners/runner.ts';
import { type FunctionSearch, type RoundInput, searchFunction } from './function-search.ts';
import { suspectIn } from './suspect-change.ts';

/** The search for one repair, in the functions of its suspects. */
export interface Round {
  readonly fresh: Runner;
  search(place: number): FunctionSearch;
  /** Results of the model that arrive after the round are not needed. */
  end(): void;
}

export interface RoundParts extends RoundInput {
  /** Aborts if the model cannot be opened. */
  readonly failed: AbortSignal;
}

export function startRound(input: RoundParts, suspects: readonly Suspect[]): Round {
  const over = new AbortController();
  const joined = joinSignals(input.signal, input.failed, over.signal);
  const roundInput = { ...input, signal: joined.signal };
  const searches = new Map<number, FunctionSearch>();
  const searchAt = (place: number): FunctionSearch | undefined => {
    const suspect = over.signal.aborted ? undefined : suspects[place];
    const existing = searches.get(place);
    if (existing || !suspect) return existing;
    const next = () => searchAt(place + 1)?.answered();
    const search = searchFunction(roundInput, place, suspectIn(input, suspect), next);
    searches.set(place, search);
    return search;
  };
  return {
    fresh: input.fresh,
    search(place) {
      const functionSearch = searchAt(place);
      if (!functionSearch) throw new Error(`There is no suspect ${place}.`);
      return functionSearch;
    },
    end() {
      over.abort();
      joined.release();
      for (const each of searches.values()) each.close();
    },
  };
}
