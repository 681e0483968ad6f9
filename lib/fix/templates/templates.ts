import type { FunctionView, Replacement } from '../../repair/operators/function-view.ts';
import { calledOrAwaited, firstKeys } from './calls.ts';
import { guardedConditions, mirroredComparisons } from './conditions.ts';
import {
  groupedTerms,
  otherAttributes,
  regrouped,
  renamedThroughout,
  roundedOrNegated,
  simplerOperands,
} from './expressions.ts';
import type { ProjectNames } from './project-names.ts';
import { flushes, guardsAndCopies, loopsAndBranches, otherTexts, otherUpdates } from './statements.ts';

/**
 * Edits that real projects need more often than the search's operators make them: attributes, guards, file
 * modes and whole statements. The kinds are the fix patterns of TBar (Liu et al., ISSTA 2019,
 * arXiv:1903.08409).
 */
export function templates(names: ProjectNames): readonly ((view: FunctionView) => Replacement[])[] {
  return [
    loopsAndBranches,
    otherTexts,
    guardedConditions,
    otherUpdates,
    firstKeys,
    mirroredComparisons,
    roundedOrNegated,
    view => calledOrAwaited(view, names),
    regrouped,
    flushes,
    renamedThroughout,
    simplerOperands,
    guardsAndCopies,
    view => otherAttributes(view, names),
    groupedTerms,
  ];
}
