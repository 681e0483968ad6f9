import type { Effort, Suspect } from './project-actors.ts';

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
