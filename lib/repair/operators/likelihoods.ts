import type { RankedOperator } from './best-first.ts';
import { type FailureFacts, raisedTypes } from './facts.ts';
import type { Operator } from './task-operators.ts';

/** How likely each operator of a language is meant, by their names; those that cannot be counted are set by hand. */
export type Weights = Readonly<Record<string, number>>;

/** Of the edits that an operator lists for a line, the first are likelier: the share of those up to each place. */
export const shares: readonly (readonly [places: number, share: number])[] = [
  [1, 1],
  [3, 0.54],
  [8, 0.31],
  [20, 0.17],
  [60, 0.08],
  [Number.POSITIVE_INFINITY, 0.03],
];

/** Odd edits often pass by chance. */
const ODD = 0.3;

/** What only takes something away passes weak tests more often than it is meant (Qi et al., ISSTA 2015). */
const DROPPED = 0.2;

/**
 * How likely an edit is meant, relative to others.
 * @param count the edit's place in the operator's list for the line, from 0
 */
export function likelihoodOf(operator: string, weights: Weights, count: number, isOdd: boolean): number {
  const share = shares.find(([places]) => count < places)?.[1] ?? 0;
  const doubt = (isOdd ? ODD : 1) * (operator.endsWith(' dropped') ? DROPPED : 1);
  return (weights[operator] ?? 1) * share * doubt;
}

/** Operators that an exception of the failing tests makes likelier; not counted. */
const indicated: Readonly<Record<string, readonly string[]>> = {
  AttributeError: ['attribute of file taken', 'missing item or attribute allowed', 'receiver changed'],
  IndexError: ['index changed', 'off by one', 'missing value tested'],
  KeyError: ['missing item or attribute allowed'],
  NameError: ['variable swapped', 'receiver changed'],
  TypeError: ['value normalized', 'missing value tested', 'argument dropped', 'argument added'],
};
/** How much likelier. */
const INDICATED = 4;

/**
 * The operators in the order in which a project's edits are tried.
 * @param failures what the failing tests say
 */
export function rankedOperators(
  operators: readonly Operator[],
  weights: Weights,
  failures: Pick<FailureFacts, 'raised'>,
): RankedOperator[] {
  const likelier = new Set(raisedTypes(failures).flatMap(type => indicated[type] ?? []));
  return operators
    .map(operator => ({
      operator,
      costOf(count: number, isOdd: boolean) {
        const likelihood = likelihoodOf(operator.name, weights, count, isOdd);
        return 1 / (likelier.has(operator.name) ? likelihood * INDICATED : likelihood);
      },
    }))
    .toSorted((a, b) => a.costOf(0, false) - b.costOf(0, false));
}
