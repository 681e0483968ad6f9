import type { ChangedFile, ConfirmInput, Suspect as SuspectData } from '../../../machines/project-actors.ts';
import { joinSignals } from '../../core/async/join-signals.ts';
import { patchTouchesTest } from '../errors.ts';
import { functionsIn } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import { changedFile, sourcesOf } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { Runner } from '../runners/runner.ts';
import { type FunctionSearch, type RoundInput, searchFunction } from './function-search.ts';
import { functionTask, versionOf } from './function-task.ts';
import { fileOf } from './judge-candidate.ts';

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

export function startRound(input: RoundParts, suspects: readonly SuspectData[]): Round {
  const over = new AbortController();
  const joined = joinSignals(input.signal, input.failed, over.signal);
  const own = { ...input, signal: joined.signal };
  const searches: readonly FunctionSearch[] = suspects.map((suspect, place) =>
    searchFunction(own, place, suspectIn(input, suspect), () => searches[place + 1]?.answered()),
  );
  return {
    fresh: input.fresh,
    search(place) {
      const found = searches[place];
      if (!found) throw new Error(`There is no suspect ${place}.`);
      return found;
    },
    end() {
      over.abort();
      joined.release();
      for (const each of searches) each.close();
    },
  };
}

/**
 * The files of all repairs, with a candidate of a suspect.
 * @throws Error if the candidate changes nothing, HefixError `PATCH_TOUCHES_TEST`
 */
export function changesWith(
  project: OpenProject,
  { changes, suspect, found }: Pick<ConfirmInput, 'changes' | 'suspect' | 'found'>,
): ChangedFile[] {
  const repaired = sourcesOf(changes);
  const own = suspectIn({ project, repaired }, suspect);
  const { file } = own.function;
  const functionAsTask = functionTask(project.parser, project.language, file.text, own.function);
  const code = versionOf(project.parser, functionAsTask.task, found);
  const changed = code === null ? null : fileOf(functionAsTask, code, file);
  if (!changed) throw new Error(`The candidate does not change ${suspect.file}.`);
  return [...changes.filter(({ path }) => path !== suspect.file), changedFile(changed)];
}

/** Finds the function of a suspect again. @throws HefixError `PATCH_TOUCHES_TEST` */
export function suspectIn(
  { project, repaired }: Pick<RoundInput, 'project' | 'repaired'>,
  { file, function: name, line, suspicion, lines }: SuspectData,
): Suspect {
  // A saved state may name any file.
  if (project.isTest(file)) throw patchTouchesTest(file);
  const source = repaired.get(file) ?? project.source(file);
  const found = functionsIn(project.parser, source).find(
    ({ qualified, headerLine }) => qualified === name && headerLine === line,
  );
  if (!found) throw new Error(`There is no ${name} in line ${line} of ${file}.`);
  return { function: found, suspicion, lines: new Map(lines) };
}
