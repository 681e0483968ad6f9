import type { TextModel } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { RoundInput } from './function-actors.ts';
import { calledFunctions, callsOf, tracebackText } from './function-context.ts';
import { goalsOf } from './goals.ts';
import { knowingProject } from './project-prompt.ts';

/** A function to write, or two of one file. */
export interface Written {
  /** Their file, which may include earlier repairs. */
  readonly file: SourceFile;
  readonly functions: readonly ProjectFunction[];
  readonly language: Task['language'];
  /** The second function on its own. */
  readonly partner?: Task;
}

/**
 * The model with what the project says about the function to write; null for a model that writes edits, and for none.
 */
export async function projectWriter(
  { project, options, repaired, tests, model: opening }: RoundInput,
  { file, functions, language, partner }: Written,
): Promise<TextModel | null> {
  const model = options.candidates > 0 ? await opening : null;
  const [first] = functions;
  if (!model || !first || model.answer === 'edit') return null;
  const goals = functions.map(each => goalsOf(tests, [each]).failing);
  const failing = tests.find(({ id }) => goals.every(ids => ids.has(id)));
  const source = (path: string) => repaired.get(path) ?? project.source(path);
  return knowingProject(model, {
    ...{ language, failing, called: calledFunctions(project.parser, file, first) },
    calls: callsOf(first, project.sources, source),
    traceback: tracebackText(failing?.frames?.filter(([path]) => project.has(path)) ?? [], source),
    ...(partner && { partner }),
  });
}
