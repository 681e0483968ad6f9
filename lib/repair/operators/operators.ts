import * as arithmetic from './general/arithmetic.ts';
import * as attributes from './general/attributes.ts';
import * as calls from './general/calls.ts';
import { expectedTexts } from './general/expected-texts.ts';
import { expectedValues } from './general/expected-values.ts';
import * as guards from './general/guards.ts';
import { repeated } from './general/repeated.ts';
import * as swaps from './general/swaps.ts';
import * as values from './general/values.ts';
import * as jsConditions from './javascript/conditions.ts';
import { otherRegexes } from './javascript/regexes.ts';
import * as jsStatements from './javascript/statements.ts';
import * as jsValues from './javascript/values.ts';
import { normalized } from './python/chained.ts';
import * as pyConditions from './python/conditions.ts';
import { crashGuards } from './python/crashes.ts';
import * as fallbacks from './python/fallbacks.ts';
import * as handlers from './python/handlers.ts';
import { passedOn } from './python/keywords.ts';
import { distantMoves } from './python/moves.ts';
import { otherDefaults } from './python/parameters.ts';
import * as raises from './python/raises.ts';
import { droppedAttributes, otherReceivers } from './python/receivers.ts';
import { otherRegexes as otherPatterns } from './python/regexes.ts';
import * as pyStatements from './python/statements.ts';
import { formattedTuples, moreTypes } from './python/types.ts';
import { interpreted, type Operator, taskOperators } from './task-operators.ts';

const inProjects = { languages: interpreted } as const;
const inJavaScript = { languages: ['js'] } as const;
const inPython = { languages: ['python'] } as const;

const all: readonly (Operator | string)[] = [
  { ...inProjects, name: 'text as expected', edits: expectedTexts },
  { ...inProjects, name: 'result as expected', edits: expectedValues },
  { ...inProjects, name: 'text interpolated', edits: swaps.interpolatedTexts },
  { ...inPython, name: 'crash guarded', edits: crashGuards },
  { ...inPython, name: 'handler widened', edits: handlers.widerHandlers },
  { ...inPython, name: 'error changed', edits: raises.otherErrors },
  'operator swapped',
  'variable swapped',
  'number changed',
  'boolean changed',
  'function swapped',
  'term dropped',
  { ...inPython, name: 'error raised', edits: raises.raisedErrors },
  { ...inPython, name: 'error caught', edits: handlers.caughtErrors },
  { ...inPython, name: 'missing value tested', edits: pyConditions.otherPresence },
  { ...inJavaScript, name: 'presence tested otherwise', edits: jsConditions.otherPresence },
  { ...inJavaScript, name: 'own property asked', edits: jsConditions.hasOwnChecks },
  { ...inJavaScript, name: 'chain made optional', edits: jsValues.optionalChains },
  { ...inJavaScript, name: 'regular expression changed', edits: otherRegexes },
  { ...inJavaScript, name: 'nearby term added', edits: jsConditions.nearbyTerms },
  'wrapper dropped',
  'statement dropped',
  {
    ...inJavaScript,
    name: 'same edit repeated',
    edits: repeated([
      jsConditions.hasOwnChecks,
      jsValues.optionalChains,
      jsValues.otherCollections,
      swaps.swappedOperators,
      values.otherFunctions,
      values.otherNumbers,
      jsConditions.otherPresence,
      otherRegexes,
    ]),
  },
  { ...inJavaScript, name: 'collection changed', edits: jsValues.otherCollections },
  { ...inJavaScript, name: 'default added', edits: jsValues.defaults },
  { ...inJavaScript, name: 'text normalized', edits: jsValues.normalized },
  { ...inJavaScript, name: 'nearby argument added', edits: jsValues.nearbyArguments },
  { ...inJavaScript, name: 'early return added', edits: jsStatements.earlyReturns },
  { ...inJavaScript, name: 'error caught', edits: jsStatements.caughtErrors },
  { ...inJavaScript, name: 'statement guarded', edits: jsStatements.guardedStatements },
  { ...inPython, name: 'term about value added', edits: pyConditions.nearbyTerms },
  { ...inPython, name: 'missing item or attribute allowed', edits: fallbacks.lookups },
  { ...inPython, name: 'keyword argument added', edits: passedOn },
  { ...inPython, name: 'value normalized', edits: normalized },
  { ...inPython, name: 'alternative added', edits: fallbacks.alternatives },
  { ...inProjects, name: 'attribute of file taken', edits: attributes.otherMembers },
  { ...inPython, name: 'default changed', edits: otherDefaults },
  { ...inPython, name: 'receiver changed', edits: otherReceivers },
  { ...inPython, name: 'attribute dropped', edits: droppedAttributes },
  { ...inPython, name: 'type added', edits: moreTypes },
  { ...inPython, name: 'tuple formatted', edits: formattedTuples },
  { ...inPython, name: 'method called', edits: pyStatements.addedCalls },
  { ...inPython, name: 'statement made conditional', edits: pyStatements.guardedStatements },
  { ...inPython, name: 'pattern changed', edits: otherPatterns },
  { ...inPython, name: 'result made conditional', edits: fallbacks.conditionalResults },
  {
    ...inPython,
    name: 'edit repeated',
    edits: repeated([
      normalized,
      fallbacks.lookups,
      values.otherFunctions,
      values.otherNumbers,
      pyStatements.guardedStatements,
    ]),
  },
  { ...inPython, name: 'item left out', edits: pyConditions.filteredItems },
  { ...inPython, name: 'value prepared', edits: pyStatements.preparedValues },
  { ...inPython, name: 'type guarded', edits: pyStatements.typeGuards },
  { ...inPython, name: 'statement moved farther', edits: distantMoves },
  'assignment swapped',
  'off by one',
  'index changed',
  'beginning changed',
  'condition negated',
  { ...inJavaScript, name: 'helper looks up', edits: jsValues.helperLookups },
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
  { ...inProjects, name: 'loop for branch', edits: guards.loopsAndBranches },
  { ...inProjects, name: 'separator changed', edits: swaps.otherSeparators },
  { ...inProjects, name: 'presence tested', edits: swaps.guardedConditions },
  { ...inProjects, name: 'update changed', edits: guards.otherUpdates },
  { ...inProjects, name: 'first key taken', edits: calls.firstKeys },
  { ...inProjects, name: 'comparison mirrored', edits: swaps.mirroredComparisons },
  { ...inProjects, name: 'value rounded or negated', edits: arithmetic.roundedOrNegated },
  { ...inProjects, name: 'value awaited or converted', edits: calls.calledOrAwaited },
  { ...inProjects, name: 'term regrouped', edits: arithmetic.regrouped },
  { ...inProjects, name: 'action repeated after loop', edits: guards.flushes },
  { ...inProjects, name: 'name changed throughout', edits: values.renamedThroughout },
  { ...inProjects, name: 'operand simplified', edits: attributes.simplerOperands },
  { ...inProjects, name: 'guard or copy added', edits: guards.guardsAndCopies },
  { ...inProjects, name: 'attribute changed', edits: attributes.otherAttributes },
  { ...inProjects, name: 'grouped term added', edits: arithmetic.groupedTerms },
  'constant for variable',
  'condition added',
  'term added',
  'statement added',
];

/**
 * All operators: those that only repairs of projects try, which find names in the function's file and have more time, and
 * by their names those of task-operators.ts. See rankedOperators for the order in which their edits are tried. Many are
 * fix patterns of TBar (Liu et al., ISSTA 2019, arXiv:1903.08409).
 */
export const operators: readonly Operator[] = all.flatMap(each =>
  typeof each === 'string' ? taskOperators.filter(({ name }) => name === each) : each,
);
