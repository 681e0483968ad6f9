import type { AgentContext } from './context.ts';
import { comparable, remaining, untried } from './pool.ts';

/** No test may be run between attempts, or there is none to run. */
export function seesNothing({ feedback, task }: AgentContext): boolean {
  return feedback === 'none' || (feedback === 'examples' && task.exampleTests.trim() === '');
}

export function isTimeUp({ time }: Pick<AgentContext, 'time'>): boolean {
  return time.spent >= time.limit;
}

export function screensAll({ search, pool, proposal }: AgentContext): boolean {
  const screening = search.edits?.screening;
  const isWanted = screening === 'all' || (screening === 'all before asking' && proposal === null);
  return isWanted && !pool.isUnchecked && !pool.done.includes('screened');
}

/** The candidates to be run now. */
export function candidatesToRun(context: AgentContext): {
  readonly asked: readonly number[];
  readonly isAll: boolean;
} {
  const { pool } = context;
  const isAll = screensAll(context);
  return { asked: isAll ? pool.order.filter(at => pool.trials[at] === null) : untried(pool), isAll };
}

/** The candidates to be compared now with programs that failed. */
export function candidatesToCompare({ pool, attempts, search }: AgentContext): readonly number[] {
  const failed = attempts.flatMap(({ candidate }) => candidate ?? []);
  return search.suite === 'known' ? comparable(pool, failed) : [];
}

export function mayRank(context: AgentContext): boolean {
  const { search, pool } = context;
  // Pairs are in the order of their parts.
  const isWanted =
    search.edits?.ranked === true &&
    !pool.done.includes('ranked') &&
    (!pool.done.includes('combined') || pool.closest !== null);
  return isWanted && !isTimeUp(context) && remaining(pool).length > 0;
}

/** Pairs that failed before still fail when more is known. */
export function mayCombine(context: AgentContext): boolean {
  const { search, pool, attempts } = context;
  const failed = attempts.some(({ selection }) => selection?.agrees === false && !selection.time_up);
  const { edits } = search;
  if (!edits?.pairs || pool.isUnchecked || pool.done.includes('combined')) return false;
  return !failed && !isTimeUp(context) && pool.candidates.length < edits.budget;
}
