import type { Effort, Suspect as SuspectData } from '../../../machines/project-actors.ts';
import { joinSignals } from '../../core/join-signals.ts';
import { functionsIn } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { Runner } from '../runners/runner.ts';
import { type FunctionSearch, type RoundInput, searchFunction } from './function-search.ts';
import type { Counts } from './judge-candidate.ts';

/** The search for one repair, in the functions of its suspects. */
export interface Round {
  readonly fresh: Runner;
  readonly counts: Counts;
  search(place: number): FunctionSearch;
  /** Lets the model rank the candidates of a function once it has ranked those of the one before. */
  prepare(place: number): void;
  /** Results of the model that arrive after the round are not needed. */
  end(): void;
}

export function startRound(input: RoundInput, suspects: readonly SuspectData[]): Round {
  const over = new AbortController();
  const joined = joinSignals(input.signal, input.failed, over.signal);
  const own = { ...input, signal: joined.signal };
  const searches = suspects.map(suspect => searchFunction(own, suspectIn(input, suspect)));
  const search = (place: number): FunctionSearch => {
    const found = searches[place];
    if (!found) throw new Error(`There is no suspect ${place}.`);
    return found;
  };
  return {
    fresh: input.fresh,
    counts: input.counts,
    search,
    prepare: place =>
      void search(place - 1)
        .ranked()
        .then(() => searches[place]?.ranked()),
    end() {
      over.abort();
      joined.release();
      for (const each of searches) each.close();
    },
  };
}

/** Number of candidates of a function that are tried before the next function gets its turn. */
const FIRST_CANDIDATES = 60;

export async function searchWith(search: FunctionSearch, effort: Effort) {
  if (effort === 'pairs') return await search.tryPairs();
  return await search.trySingles(effort === 'promising' ? FIRST_CANDIDATES : Number.POSITIVE_INFINITY);
}

/** Finds the function of a suspect again. */
function suspectIn(
  { project, repaired }: Pick<RoundInput, 'project' | 'repaired'>,
  { file, function: name, line, suspicion, lines }: SuspectData,
): Suspect {
  const source = repaired.get(file) ?? project.source(file);
  const found = functionsIn(project.parser, source).find(
    ({ qualified, headerLine }) => qualified === name && headerLine === line,
  );
  if (!found) throw new Error(`There is no ${name} in line ${line} of ${file}.`);
  return { function: found, suspicion, lines: new Map(lines) };
}
