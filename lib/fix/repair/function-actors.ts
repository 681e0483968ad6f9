import type { AgentActors } from '../../../machines/actors.ts';
import type { TextModel } from '../../core/ports.ts';
import { createActors } from '../../repair/actors/create-actors.ts';
import type { FixOptions, FixParts } from '../options.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { FileTask } from './function-task.ts';
import { projectSandbox } from './project-sandbox.ts';
import type { JudgeCandidate, JudgeInput } from './tests-decide.ts';

/** What the searches of a round share. */
export interface RoundInput extends JudgeInput {
  readonly project: OpenProject;
  readonly options: FixOptions;
  readonly parts: FixParts;
  /** Null for none. Never rejects. */
  readonly model: Promise<TextModel | null>;
}

/** The actors of the agent that lets the model write functions again. */
export type RewriteActors = Pick<AgentActors, 'propose' | 'examine' | 'execute'>;

/** The agents' actors for functions of a project, which its tests judge. */
export function functionActors(
  { project, options }: RoundInput,
  task: FileTask,
  judge: JudgeCandidate,
  model: TextModel,
  answer: 'edit' | 'whole',
): AgentActors {
  const { parser } = project;
  const sandbox = projectSandbox(task, { parser, project, judge });
  const { maxNewTokens, seed } = options;
  const shared = { agent: 'reflect', feedback: 'tests', examples: false, topP: 1, topK: 0 } as const;
  return createActors({ model, sandbox, parser, options: { ...shared, answer, maxNewTokens, seed } });
}
