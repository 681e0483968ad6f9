import { budgetOf } from './budgets.ts';
import type { AgentInput, SearchSettings } from './context.ts';
import type { ConfirmInput, QuestionInput } from './project-actors.ts';
import type { ProjectContext } from './project-setup.ts';
import type { WriterInput } from './writer-actors.ts';

/** The inputs that the machine for projects gives to its actors and to the machines that it invokes. */

/** @throws Error unless a candidate was found */
export function confirmOf({ tests, changes, suspects, found }: ProjectContext): ConfirmInput {
  const suspect = suspects[found?.place ?? -1];
  if (!found || !suspect) throw new Error('There is nothing to confirm.');
  return { tests, changes, suspect, found };
}

/** @throws Error unless a repair was confirmed */
export function questionOf({
  baseline,
  changes,
  suspects,
  found,
  others,
  after,
}: ProjectContext): QuestionInput {
  const suspect = suspects[found?.place ?? -1];
  if (!found || !suspect || !baseline || !after) throw new Error('There is no repair to ask about.');
  return { tests: baseline.tests, suspect, found, others, changes, after };
}

/** The tests to repair, for the model's conversation; without requests if it does not converse. */
export function writerOf({
  tests,
  changes,
  converses,
  iterations,
  maxRequests,
}: ProjectContext): WriterInput {
  return { tests, changes, maxRequests: converses ? Math.min(maxRequests, iterations + 1) : 0 };
}

/** Candidates of the suspect, as many as the effort says. */
export function searchOf(context: ProjectContext): AgentInput {
  const { effort, asksModel } = context;
  const asks = asksModel && effort !== 'edits';
  return agentInput(context, 0, {
    asks: asks ? 'likeliest' : 'nothing',
    budget: budgetOf(context, context.place),
    screensBeforeAsking: effort === 'promising',
    pairs: effort === 'pairs',
  });
}

/** The agent `reflect`, for a model that writes whole functions: the suspect's, or its two. */
export function rewriteOf(context: ProjectContext): AgentInput {
  return agentInput(context, context.iterations, { asks: 'answer', budget: 0 });
}

function agentInput(
  { suspects, place, temperature }: ProjectContext,
  maxIterations: number,
  search: Omit<SearchSettings, 'answers' | 'suite' | 'screensAll' | 'ranks' | 'seconds'>,
): AgentInput {
  const suspect = suspects[place];
  if (!suspect) throw new Error(`There is no suspect ${place}.`);
  return {
    task: suspect.task,
    maxIterations,
    temperature: { schedule: 'ramp', base: temperature, step: TEMPERATURE_STEP, cap: 1 },
    feedback: 'tests',
    search: {
      ...search,
      answers: 1,
      suite: 'tests',
      screensAll: false,
      ranks: false,
      seconds: SEARCH_SECONDS,
    },
  };
}

/** Processor time for pairs of edits. */
const SEARCH_SECONDS = 10;
/** Added to the temperature with each answer. */
const TEMPERATURE_STEP = 0.2;
