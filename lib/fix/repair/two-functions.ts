import type { Examination, ExamineInput } from '../../../machines/actors.ts';
import { once } from '../../core/async.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { examine, examineExtraction } from '../../repair/actors/examine.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import { projectWriter } from '../model/project-writer.ts';
import type { FixLanguage } from '../project/target.ts';
import { functionActors, type RewriteActors, type RoundInput } from './function-actors.ts';
import { type FileTask, functionTask } from './function-task.ts';
import { projectSandbox } from './project-sandbox.ts';
import { createCandidateJudge } from './tests-decide.ts';

/** Neither is inside the other; the more suspicious comes first. */
export type TwoFunctions = readonly [ProjectFunction, ProjectFunction];

/** Two functions of one file as one task, for a model that writes both. A version has both, in the order of the file. */
export interface TwoFunctionsTask extends FileTask {
  /** Each on its own. */
  readonly alone: readonly [Task, Task];
}

export function twoFunctionsTask(
  parser: SyntaxParser,
  language: FixLanguage,
  text: string,
  [first, second]: TwoFunctions,
): TwoFunctionsTask {
  const taskIn = (now: string, found: ProjectFunction) => functionTask(parser, language, now, found);
  const inOrder = first.firstLine < second.firstLine ? [first, second] : [second, first];
  const tasks = inOrder.map(found => taskIn(text, found));
  const alone = [taskIn(text, first).task, taskIn(text, second).task] as const;
  const buggy = programOf(tasks.map(({ task }) => task.buggy));
  return {
    task: { ...alone[0], id: `${alone[0].id} and ${second.qualified}`, buggy },
    alone,
    versionIn(answer) {
      const versions = tasks.map(({ versionIn }) => versionIn(answer));
      if (versions.every(version => version === null)) return null;
      return programOf(tasks.map(({ task }, at) => versions[at] ?? task.buggy));
    },
    fileWith(code) {
      // From the end, so that the lines above keep their numbers.
      return inOrder.toReversed().reduce<string | null>((now, found) => {
        const own = now === null ? null : taskIn(now, found);
        return own?.fileWith(own.versionIn(code) ?? own.task.buggy) ?? null;
      }, text);
    },
  };
}

function programOf(codes: readonly string[]): string {
  return `${codes.map(code => code.trimEnd()).join('\n\n\n')}\n`;
}

/** Lets the model write two functions. @param place of both in their round */
export function rewriteTwo(
  input: RoundInput,
  place: number,
  functions: TwoFunctions,
): () => Promise<RewriteActors> {
  const { project } = input;
  const { parser, language } = project;
  const [{ file }] = functions;
  const both = twoFunctionsTask(parser, language, file.text, functions);
  const judge = createCandidateJudge(input, place, functions, both, file);
  const sandbox = projectSandbox(both, { parser, project, judge });
  const writer = once(() => projectWriter(input, { file, functions, language, partner: both.alone[1] }));
  return async () => {
    const model = await writer();
    if (!model) throw new Error('There is no model that writes functions.');
    const { propose, execute } = functionActors(input, both, judge, model, 'whole');
    return { propose, execute, examine: (given, signal) => examineTwo(parser, sandbox, both, given, signal) };
  };
}

/** An answer may have only one of the functions. */
async function examineTwo(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'checkSyntax'>,
  { alone, versionIn }: TwoFunctionsTask,
  input: ExamineInput,
  signal: AbortSignal,
): Promise<Examination> {
  const candidate = versionIn(input.completion);
  if (candidate === null) return await examine(parser, sandbox, input, signal);
  const extraction = { found: 'function', candidate, signature: null } as const;
  const both = await examineExtraction(parser, sandbox, input, extraction, signal);
  if (both.verdict) return both;
  const examined = await Promise.all(
    alone.map(task => examine(parser, sandbox, { task, completion: candidate, attempts: [] }, signal)),
  );
  return { ...both, verdict: examined.find(({ verdict }) => verdict)?.verdict ?? null };
}
