import type { Language } from '../../core/task.ts';
import type { RankedOperator } from './best-first.ts';
import type { Operator } from './operator.ts';
import { likelihoodOf } from './python/likelihoods.ts';

/** Operators in the order in which a project's edits are tried. */
export function rankedOperators(operators: readonly Operator[], language: Language): RankedOperator[] {
  return language === 'python' ? byLikelihood(operators) : inGivenOrder(operators);
}

/** Python: real fixes for each candidate, as they were counted. */
function byLikelihood(operators: readonly Operator[]): RankedOperator[] {
  return operators
    .map(operator => ({
      operator,
      costOf: (count: number, isOdd: boolean) => 1 / likelihoodOf(operator.name, count, isOdd),
    }))
    .toSorted((a, b) => a.costOf(0, false) - b.costOf(0, false));
}

/** How many more edits of one operator are tried before the next operator gets its turn. */
const SPREAD = 4;
/** How many operators odd edits wait for. */
const ODD_WAIT = 20;

function inGivenOrder(operators: readonly Operator[]): RankedOperator[] {
  return operators.map((operator, place) => ({
    operator,
    costOf: (count, isOdd) => (place + (isOdd ? ODD_WAIT : 0)) * SPREAD + count + 1,
  }));
}
