import type { ChangedFile, ConfirmInput, Suspect as SuspectData } from '../../../machines/project-actors.ts';
import { patchTouchesTest } from '../errors.ts';
import { repairableIn } from '../localise/constants.ts';
import { functionsIn } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import { changedFile, type SourceFile, sourcesOf } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import { functionTask, versionOf } from './function-task.ts';
import { fileOf } from './tests-decide.ts';

interface RepairedProject {
  readonly project: OpenProject;
  /** Files with all repairs so far, by path. */
  readonly repaired: ReadonlyMap<string, SourceFile>;
}

/** Finds the function or constant of a suspect again. @throws HefixError `PATCH_TOUCHES_TEST` */
export function suspectIn(
  { project, repaired }: RepairedProject,
  { kind, file, function: name, line, suspicion, lines }: Omit<SuspectData, 'task'>,
): Suspect {
  // A saved state may name any file.
  if (project.isTest(file)) throw patchTouchesTest(file);
  const source = repaired.get(file) ?? project.source(file);
  // The functions of a file are found without its constants, and several times in a round.
  const candidates = kind === 'function' ? functionsIn : repairableIn;
  const match = candidates(project.parser, source).find(
    ({ qualified, headerLine }) => qualified === name && headerLine === line,
  );
  if (!match) throw new Error(`There is no ${name} in line ${line} of ${file}.`);
  return { function: match, suspicion, lines: new Map(lines) };
}

/** A suspect as plain data. */
export function suspectData(
  { parser, language }: OpenProject,
  { function: suspectFunction, suspicion, lines }: Suspect,
): SuspectData {
  return {
    kind: suspectFunction.kind,
    file: suspectFunction.file.path,
    function: suspectFunction.qualified,
    line: suspectFunction.headerLine,
    suspicion,
    lines: [...lines],
    task: functionTask(parser, language, suspectFunction.file.text, suspectFunction).task,
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
  const { parser, language } = project;
  const { function: suspectFunction } = suspectIn({ project, repaired: sourcesOf(changes) }, suspect);
  const { file } = suspectFunction;
  const task = functionTask(parser, language, file.text, suspectFunction);
  const code = versionOf(task, found);
  const changed = code === null ? null : fileOf(task, code, file);
  if (!changed) throw new Error(`The candidate does not change ${suspect.file}.`);
  return [...changes.filter(({ path }) => path !== suspect.file), changedFile(changed)];
}
