import type { TextModel } from '../../core/ports.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { FixOptions } from '../options.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { TestResult } from '../runners/runner.ts';
import type { FunctionTask } from './function-task.ts';
import { answersEdits, type Candidate } from './ordered-candidates.ts';
import type { Goals } from './trial.ts';

export interface SampleInput {
  readonly model: TextModel | null;
  readonly parser: SyntaxParser;
  readonly options: FixOptions;
  readonly project: OpenProject;
  readonly goals: Goals;
  readonly signal: AbortSignal;
}

/** What a model that writes whole functions answers, as often as `--candidates` says; none from other models. */
export async function sampledCandidates(
  { task }: FunctionTask,
  _tests: readonly TestResult[],
  { model }: SampleInput,
): Promise<Candidate[]> {
  if (!model || answersEdits(model, task.language) || model.answer === 'edit') return [];
  return [];
}
