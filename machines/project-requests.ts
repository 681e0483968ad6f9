import { budgetOf } from './budgets.ts';
import type { AgentInput } from './context.ts';
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
  const { suspects, place, effort, asksModel } = context;
  const asks = asksModel && effort !== 'edits';
  const suspect = suspects[place];
  if (!suspect) throw new Error(`There is no suspect ${place}.`);
  return {
    task: suspect.task,
    maxIterations: 0,
    // The likeliest answers have none.
    temperature: { schedule: 'constant', base: 0, step: 0, cap: 0 },
    feedback: 'tests',
    search: {
      answers: asks ? { kind: 'likeliest', most: 1 } : { kind: 'none' },
      edits: {
        budget: budgetOf(context, place),
        screening: effort === 'promising' ? 'all before asking' : 'first',
        ranked: false,
        pairs: effort === 'pairs',
      },
      suite: 'tests',
      seconds: SEARCH_SECONDS,
    },
  };
}

/** Processor time for pairs of edits. */
const SEARCH_SECONDS = 10;
