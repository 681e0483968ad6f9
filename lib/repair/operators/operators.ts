import type { Language } from '../../core/task.ts';
import { bestFirst } from './best-first.ts';
import type { ProjectHints } from './enumerate.ts';
import * as arithmetic from './general/arithmetic.ts';
import * as attributes from './general/attributes.ts';
import * as calls from './general/calls.ts';
import { expectedTexts } from './general/expected-texts.ts';
import { expectedValues } from './general/expected-values.ts';
import * as guards from './general/guards.ts';
import * as swaps from './general/swaps.ts';
import * as values from './general/values.ts';
import { rankedOperators, type Weights } from './likelihoods.ts';
import { interpreted, type Operator, taskOperators } from './task-operators.ts';

/** The operators of a language that repairs of projects try, and the weights of all. */
export interface ProjectOperators {
  readonly operators: readonly Operator[];
  readonly weights: Weights;
}

/** The edits of all operators of a language, those that are likeliest to repair a project first. */
export async function projectEdits(language: Language): Promise<NonNullable<ProjectHints['edits']>> {
  const { operators, weights } = await projectOperators(language);
  return (view, { failures, weightOf }) =>
    bestFirst(view, rankedOperators(operators, weights, failures), weightOf);
}

/**
 * All operators of a language: those that only repairs of projects try, which find names in the function's file and have
 * more time, and by their names those of task-operators.ts. Many are fix patterns of TBar (Liu et al., ISSTA 2019,
 * arXiv:1903.08409).
 */
export async function projectOperators(language: Language): Promise<ProjectOperators> {
  const { edits, weights } = await operatorsOnlyOf(language);
  const named = new Map<string, Operator>();
  for (const operator of taskOperators) named.set(operator.name, operator);
  for (const [name, each] of Object.entries(shared))
    named.set(name, { name, languages: interpreted, edits: each });
  for (const [name, each] of Object.entries(edits))
    named.set(name, { name, languages: [language], edits: each });
  return { operators: order.flatMap(name => named.get(name) ?? []), weights };
}

async function operatorsOnlyOf(language: Language) {
  if (language === 'python') {
    const { pythonOperators } = await import('./python/operators.ts');
    const { pythonWeights } = await import('./python/weights.ts');
    return { edits: pythonOperators, weights: pythonWeights };
  }
  const { javascriptOperators } = await import('./javascript/operators.ts');
  const { javascriptWeights } = await import('./javascript/weights.ts');
  return { edits: javascriptOperators, weights: javascriptWeights };
}

/** The operators of Python and JavaScript projects, by their names. */
const shared: Readonly<Record<string, Operator['edits']>> = {
  'text as expected': expectedTexts,
  'result as expected': expectedValues,
  'text interpolated': swaps.interpolatedTexts,
  'attribute of file taken': attributes.otherMembers,
  'loop for branch': guards.loopsAndBranches,
  'separator changed': swaps.otherSeparators,
  'presence tested': swaps.guardedConditions,
  'update changed': guards.otherUpdates,
  'first key taken': calls.firstKeys,
  'comparison mirrored': swaps.mirroredComparisons,
  'value rounded or negated': arithmetic.roundedOrNegated,
  'value awaited or converted': calls.calledOrAwaited,
  'term regrouped': arithmetic.regrouped,
  'action repeated after loop': guards.flushes,
  'name changed throughout': values.renamedThroughout,
  'operand simplified': attributes.simplerOperands,
  'guard or copy added': guards.guardsAndCopies,
  'attribute changed': attributes.otherAttributes,
  'grouped term added': arithmetic.groupedTerms,
};

/** The order in which operators of the same weight are tried. */
const order: readonly string[] = [
  'text as expected',
  'result as expected',
  'text interpolated',
  'crash guarded',
  'handler widened',
  'error changed',
  'operator swapped',
  'variable swapped',
  'number changed',
  'boolean changed',
  'function swapped',
  'term dropped',
  'error raised',
  'missing value tested',
  'presence tested otherwise',
  'own property asked',
  'chain made optional',
  'regular expression changed',
  'nearby term added',
  'wrapper dropped',
  'statement dropped',
  'same edit repeated',
  'collection changed',
  'default added',
  'text normalized',
  'nearby argument added',
  'early return added',
  'error caught',
  'statement guarded',
  'term about value added',
  'missing item or attribute allowed',
  'keyword argument added',
  'value normalized',
  'alternative added',
  'attribute of file taken',
  'default changed',
  'receiver changed',
  'attribute dropped',
  'type added',
  'tuple formatted',
  'method called',
  'statement made conditional',
  'pattern changed',
  'result made conditional',
  'edit repeated',
  'item left out',
  'value prepared',
  'type guarded',
  'statement moved farther',
  'assignment swapped',
  'off by one',
  'index changed',
  'beginning changed',
  'condition negated',
  'helper looks up',
  'clause dropped',
  'argument dropped',
  'arguments swapped',
  'operands swapped',
  'text changed',
  'condition dropped',
  'branch joined',
  'jump swapped',
  'statement moved',
  'statements exchanged',
  'wrapper added',
  'return changed',
  'subscript added',
  'target swapped',
  'argument added',
  'loop for branch',
  'separator changed',
  'presence tested',
  'update changed',
  'first key taken',
  'comparison mirrored',
  'value rounded or negated',
  'value awaited or converted',
  'term regrouped',
  'action repeated after loop',
  'name changed throughout',
  'operand simplified',
  'guard or copy added',
  'attribute changed',
  'grouped term added',
  'constant for variable',
  'condition added',
  'term added',
  'statement added',
];
