import type { AgentInput } from './context.ts';
import type { ConfirmInput, Effort, QuestionInput, Suspect } from './project-actors.ts';
import type { ProjectContext } from './project-setup.ts';
import type { WriterInput } from './writer-actors.ts';

/** The inputs that the machine for projects gives to its actors and to the machines that it invokes; how much each searches. */

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

/** How far the search for a repair is. */
interface SliceOfSearch {
  readonly suspects: readonly Suspect[];
  readonly effort: Effort;
  readonly slice: number;
}

/** Candidates of the most suspicious function, besides the model's answers; with `all`, four times as many in each slice. */
const budgets: Readonly<Record<Effort, number>> = { edits: 150, promising: 300, all: 1200, pairs: 5500 };

/** Most candidates of one suspect before pairs are tried. */
const MAX_BUDGET = 4000;

/** Number of candidates of a suspect, those of earlier slices included. */
export function budgetOf(context: SliceOfSearch, place: number): number {
  const { effort, slice } = context;
  if (effort === 'pairs') return budgets.pairs;
  return Math.min(MAX_BUDGET, Math.ceil(budgets[effort] * 4 ** slice * shareOf(context, place)));
}

/** Whether some suspect has more candidates than this slice tries. */
export function hasNextSlice(context: SliceOfSearch): boolean {
  return context.suspects.some((_, place) => budgetOf(context, place) < MAX_BUDGET);
}

/**
 * The budget of a suspect as a share of the first one's: the more others are more suspicious, the fewer candidates; those
 * that are equally suspicious get as many. Constants get fewer, since each of their candidates must be imported.
 */
function shareOf({ suspects }: SliceOfSearch, place: number): number {
  const { suspicion = 0, kind } = suspects[place] ?? {};
  const most = suspects.reduce((highest, each) => Math.max(highest, each.suspicion), 0);
  const rank = 1 + suspects.filter(each => each.suspicion > suspicion).length;
  const share = most === 0 ? 1 : Math.max(suspicion / most / rank, MIN_SHARE);
  return kind === 'constant' ? share / CONSTANT_COST : share;
}

const MIN_SHARE = 0.05;
const CONSTANT_COST = 4;
