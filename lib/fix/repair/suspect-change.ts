import type { ChangedFile, ConfirmInput, Suspect as SuspectData } from '../../../machines/project-actors.ts';
import { patchTouchesTest } from '../errors.ts';
import { repairableIn } from '../localise/constants.ts';
import { functionsIn } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import { changedFile, type SourceFile, sourcesOf } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import { functionTask, versionOf } from './function-task.ts';
import { fileOf } from './tests-decide.ts';
import { type TwoFunctions, twoFunctionsTask } from './two-functions.ts';

interface RepairedProject {
  readonly project: OpenProject;
  /** Files with all repairs so far, by path. */
  readonly repaired: ReadonlyMap<string, SourceFile>;
}

/** Finds the function or constant of a suspect again. @throws HefixError `PATCH_TOUCHES_TEST` */
export function suspectIn(
  { project, repaired }: RepairedProject,
  { kind, file, function: name, line, suspicion, lines }: Omit<SuspectData, 'task' | 'partner'>,
): Suspect {
  // A saved state may name any file.
  if (project.isTest(file)) throw patchTouchesTest(file);
  const source = repaired.get(file) ?? project.source(file);
  // The functions of a file are found without its constants, and several times in a round.
  const candidates = kind === 'function' ? functionsIn : repairableIn;
  const found = candidates(project.parser, source).find(
    ({ qualified, headerLine }) => qualified === name && headerLine === line,
  );
  if (!found) throw new Error(`There is no ${name} in line ${line} of ${file}.`);
  return { function: found, suspicion, lines: new Map(lines) };
}

/** The functions of a suspect that has two; null if it has one. */
export function twoFunctionsIn(given: RepairedProject, suspect: SuspectData): TwoFunctions | null {
  const { partner } = suspect;
  return partner
    ? [suspectIn(given, suspect).function, suspectIn(given, { ...suspect, ...partner }).function]
    : null;
}

type Change = Pick<ConfirmInput, 'changes' | 'suspect' | 'found'>;

/**
 * The files of all repairs, with a candidate of a suspect.
 * @throws Error if the candidate changes nothing, HefixError `PATCH_TOUCHES_TEST`
 */
export function changesWith(project: OpenProject, change: Change): ChangedFile[] {
  const changed = changesIn(project, change);
  if (!changed) throw new Error(`The candidate does not change ${change.suspect.file}.`);
  return changed;
}

/** A candidate of a suspect with two functions, in each of them alone: the changed files, and the function as a suspect. */
export function changesOfEach(
  project: OpenProject,
  { suspect, ...change }: Change,
): { readonly changes: ChangedFile[]; readonly suspect: SuspectData }[] {
  const { partner, ...first } = suspect;
  const each = partner ? [first, { ...first, ...partner }] : [];
  return each.flatMap(alone => {
    const changes = changesIn(project, { ...change, suspect: alone });
    return changes ? [{ changes, suspect: alone }] : [];
  });
}

function changesIn(project: OpenProject, { changes, suspect, found }: Change): ChangedFile[] | null {
  const { parser, language } = project;
  const given = { project, repaired: sourcesOf(changes) };
  const own = suspectIn(given, suspect).function;
  const two = twoFunctionsIn(given, suspect);
  const { file } = own;
  const task = two
    ? twoFunctionsTask(parser, language, file.text, two)
    : functionTask(parser, language, file.text, own);
  const code = versionOf(task, found);
  const changed = code === null ? null : fileOf(task, code, file);
  return changed && [...changes.filter(({ path }) => path !== suspect.file), changedFile(changed)];
}
