import type { Found } from '../../../machines/project-actors.ts';
import type { TextModel } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { repairTask } from '../../repair/repair-task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { FixOptions, FixParts } from '../options.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { JudgeCandidate } from './judge-candidate.ts';
import { projectSandbox } from './project-sandbox.ts';

export interface RewriteParts {
  /** Has answered the task's first prompt before. */
  readonly model: TextModel;
  readonly parser: SyntaxParser;
  readonly project: OpenProject;
  readonly judge: JudgeCandidate;
  readonly iterations: number;
  readonly options: FixOptions;
  readonly signal: AbortSignal;
  readonly parts: FixParts;
}

/**
 * Repairs one function with the agent `reflect`: the model sees which test its function fails, and writes it again.
 * Rejects with the signal's reason if aborted; if the model fails, that is a warning.
 */
export async function rewritten(
  task: Task,
  { model, parser, project, judge, iterations, options, signal, parts }: RewriteParts,
): Promise<Found | null> {
  let last: Found | null = null;
  const watched: JudgeCandidate = async candidate => {
    const judged = await judge(candidate);
    last = judged.found;
    return judged;
  };
  const { state, cause } = await repairTask({
    ...{ task, model, parser },
    sandbox: projectSandbox(task, { parser, project, judge: watched }),
    options: {
      ...{ agent: 'reflect', feedback: 'tests', answer: 'whole', examples: false, candidates: 1 },
      ...{ topP: 1, topK: 0, maxNewTokens: options.maxNewTokens, seed: options.seed },
      maxIterations: iterations,
      temperature: { schedule: 'ramp', base: options.temperature ?? 0, step: TEMPERATURE_STEP, cap: 1 },
    },
    signal,
    inspect: parts.inspect,
    now: parts.now,
  });
  if (cause) parts.onWarning?.(cause.message);
  return state === 'solved' ? last : null;
}

/** By how much each answer is warmer than the one before. */
const TEMPERATURE_STEP = 0.2;
