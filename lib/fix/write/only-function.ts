import type { ChangedFile, Repair } from '../../../machines/project-actors.ts';
import type { WrittenRepair } from '../../../machines/writer-actors.ts';
import { functionsIn, type ProjectFunction } from '../localise/functions.ts';
import { type SourceFile, sourcesOf } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import { functionTask } from '../repair/function-task.ts';

/**
 * The version of the only function that a change is in; null if it changes anything else.
 * @param source the files without the change
 */
export function onlyFunction(
  { parser, language, has }: Pick<OpenProject, 'parser' | 'language' | 'has'>,
  changes: readonly ChangedFile[],
  [place, ...more]: readonly Repair[],
  source: (path: string) => SourceFile,
): WrittenRepair['version'] {
  const [after, ...others] = sourcesOf(changes).values();
  if (!place || !after || more.length + others.length > 0 || !has(after.path)) return null;
  const before = source(after.path);
  const [original, now] = [before, after].map(file =>
    functionsIn(parser, file).find(
      ({ qualified, headerLine }) => qualified === place.function && headerLine === place.line,
    ),
  );
  if (!original || !now) return null;
  const taskIn = ({ text }: SourceFile, definition: ProjectFunction) =>
    functionTask(parser, language, text, definition);
  const code = taskIn(after, now).task.buggy;
  const isAll = taskIn(before, original).fileWith(code) === after.text;
  return isAll ? { file: after.path, function: place.function, line: place.line, code } : null;
}
