/**
 * How likely an edit of each operator is what an author meant, relative to other edits of the same line: fixes of Python
 * packages that it makes for the edits that it lists, printed by `node fixtures/projects/operators.mjs`.
 */
export const weights: Readonly<Record<string, number>> = {
  // Only where a failing test says something; not counted.
  'text as expected': 60,
  'result as expected': 60,
  'error changed': 60,
  'error caught': 5,
  'error raised': 10,
  'pattern changed': 2,
  // Counted.
  'handler widened': 6.1,
  'term dropped': 1.7,
  'number changed': 1.5,
  'operator swapped': 1.4,
  'missing value tested': 1.1,
  'boolean changed': 0.92,
  'wrapper dropped': 0.91,
  'statement dropped': 0.71,
  'missing item or attribute allowed': 0.69,
  'variable swapped': 0.65,
  'receiver changed': 0.59,
  'function swapped': 0.48,
  'statement moved farther': 0.47,
  'default changed': 0.43,
  'term about value added': 0.42,
  'tuple formatted': 0.4,
  'attribute dropped': 0.33,
  'item left out': 0.31,
  'statement made conditional': 0.3,
  'type added': 0.29,
  'attribute of file taken': 0.26,
  'assignment swapped': 0.24,
  'method called': 0.23,
  'argument added': 0.23,
  'text changed': 0.22,
  'keyword argument added': 0.2,
  'statement moved': 0.2,
  'edit repeated': 0.2,
  'return changed': 0.19,
  'beginning changed': 0.18,
  'clause dropped': 0.18,
  'value normalized': 0.18,
  'index changed': 0.18,
  'alternative added': 0.17,
  'condition negated': 0.17,
  'result made conditional': 0.17,
  'operands swapped': 0.17,
  'presence tested': 0.17,
  'statements exchanged': 0.16,
  'arguments swapped': 0.16,
  'branch joined': 0.16,
  'jump swapped': 0.16,
  'operand simplified': 0.15,
  'condition dropped': 0.15,
  'wrapper added': 0.15,
  'argument dropped': 0.14,
  'off by one': 0.14,
  'separator changed': 0.13,
  'loop for branch': 0.13,
  'update changed': 0.13,
  'first key taken': 0.13,
  'comparison mirrored': 0.12,
  'value rounded or negated': 0.12,
  'target swapped': 0.12,
  'term regrouped': 0.12,
  'action repeated after loop': 0.11,
  'name changed throughout': 0.11,
  'value awaited or converted': 0.09,
  'grouped term added': 0.09,
  'subscript added': 0.09,
  'guard or copy added': 0.09,
  'constant for variable': 0.08,
  'condition added': 0.08,
  'statement added': 0.08,
  'attribute changed': 0.08,
  'term added': 0.07,
  'value prepared': 0.06,
  'type guarded': 0.04,
};

/** The weight of an operator that was not counted. */
const UNKNOWN = 1;

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

/** @param count the edit's place in the operator's list for the line, from 0 */
export function likelihoodOf(operator: string, count: number, isOdd: boolean): number {
  const share = shares.find(([places]) => count < places)?.[1] ?? 0;
  const doubt = (isOdd ? ODD : 1) * (operator.endsWith(' dropped') ? DROPPED : 1);
  return (weights[operator] ?? UNKNOWN) * share * doubt;
}
