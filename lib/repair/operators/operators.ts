import { addedArguments } from './general/arguments.ts';
import * as arithmetic from './general/arithmetic.ts';
import * as attributes from './general/attributes.ts';
import * as calls from './general/calls.ts';
import * as conditions from './general/conditions.ts';
import * as excess from './general/excess.ts';
import { expectedTexts } from './general/expected-texts.ts';
import { expectedValues } from './general/expected-values.ts';
import * as guards from './general/guards.ts';
import * as missing from './general/missing.ts';
import * as moves from './general/moves.ts';
import { repeated } from './general/repeated.ts';
import { addedStatements } from './general/statements.ts';
import * as swaps from './general/swaps.ts';
import * as texts from './general/texts.ts';
import * as values from './general/values.ts';
import { addedWrappers } from './general/wrappers.ts';
import * as jsConditions from './javascript/conditions.ts';
import { otherRegexes } from './javascript/regexes.ts';
import * as jsStatements from './javascript/statements.ts';
import * as jsValues from './javascript/values.ts';
import { interpreted, type Operator } from './operator.ts';
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

const inProjects = { languages: interpreted, projectsOnly: true } as const;
const inJavaScript = { languages: ['js'], projectsOnly: true } as const;
const inPython = { languages: ['python'], projectsOnly: true } as const;

/**
 * All operators, in the order in which their edits are tried on tasks: likely ones first, and those that make many
 * edits last; for projects, see rankedOperators. Many of those of projects are fix patterns of TBar (Liu et al., ISSTA
 * 2019, arXiv:1903.08409).
 */
export const operators: readonly Operator[] = [
  { ...inProjects, name: 'text as expected', edits: expectedTexts },
  { ...inProjects, name: 'result as expected', edits: expectedValues },
  { ...inProjects, name: 'text interpolated', edits: texts.interpolatedTexts },
  { ...inPython, name: 'crash guarded', edits: crashGuards },
  { ...inPython, name: 'handler widened', edits: handlers.widerHandlers },
  { ...inPython, name: 'error changed', edits: raises.otherErrors },
  { name: 'operator swapped', edits: swaps.swappedOperators },
  { name: 'variable swapped', edits: values.otherVariables },
  { name: 'number changed', edits: values.otherNumbers },
  { name: 'boolean changed', edits: values.otherBooleans },
  { name: 'function swapped', edits: values.otherFunctions },
  { name: 'term dropped', edits: excess.droppedTerms },
  { ...inPython, name: 'error raised', edits: raises.raisedErrors },
  { ...inPython, name: 'error caught', edits: handlers.caughtErrors },
  { ...inPython, name: 'missing value tested', edits: pyConditions.otherPresence },
  { ...inJavaScript, name: 'presence tested otherwise', edits: jsConditions.otherPresence },
  { ...inJavaScript, name: 'own property asked', edits: jsConditions.ownProperties },
  { ...inJavaScript, name: 'chain made optional', edits: jsValues.optionalChains },
  { ...inJavaScript, name: 'regular expression changed', edits: otherRegexes },
  { ...inJavaScript, name: 'nearby term added', edits: jsConditions.nearbyTerms },
  { name: 'wrapper dropped', edits: excess.droppedWrappers },
  { name: 'statement dropped', edits: excess.droppedStatements },
  {
    ...inJavaScript,
    name: 'same edit repeated',
    edits: repeated([
      jsConditions.ownProperties,
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
  { name: 'assignment swapped', edits: swaps.swappedAssignments },
  { name: 'off by one', edits: values.offByOne },
  { name: 'index changed', edits: values.otherIndices },
  { name: 'beginning changed', languages: interpreted, edits: values.otherBeginnings },
  { name: 'condition negated', edits: conditions.negatedConditions },
  { ...inJavaScript, name: 'helper looks up', edits: jsValues.helperLookups },
  { name: 'clause dropped', edits: excess.droppedClauses },
  { name: 'argument dropped', edits: excess.droppedArguments },
  { name: 'arguments swapped', edits: values.swappedArguments },
  { name: 'operands swapped', edits: swaps.swappedOperands },
  { name: 'text changed', edits: texts.otherStrings },
  { name: 'condition dropped', edits: excess.droppedConditions },
  { name: 'branch joined', edits: moves.joinedBranches },
  { name: 'jump swapped', edits: moves.swappedJumps },
  { name: 'statement moved', edits: moves.movedStatements },
  { name: 'statements exchanged', edits: moves.exchangedStatements },
  { name: 'wrapper added', languages: interpreted, edits: addedWrappers },
  { name: 'return changed', edits: missing.otherReturns },
  { name: 'subscript added', languages: interpreted, edits: missing.addedSubscripts },
  { name: 'target swapped', edits: values.otherTargets },
  { name: 'argument added', languages: interpreted, edits: addedArguments },
  { ...inProjects, name: 'loop for branch', edits: guards.loopsAndBranches },
  { ...inProjects, name: 'separator changed', edits: texts.otherSeparators },
  { ...inProjects, name: 'presence tested', edits: conditions.guardedConditions },
  { ...inProjects, name: 'update changed', edits: guards.otherUpdates },
  { ...inProjects, name: 'first key taken', edits: calls.firstKeys },
  { ...inProjects, name: 'comparison mirrored', edits: conditions.mirroredComparisons },
  { ...inProjects, name: 'value rounded or negated', edits: arithmetic.roundedOrNegated },
  { ...inProjects, name: 'value awaited or converted', edits: calls.calledOrAwaited },
  { ...inProjects, name: 'term regrouped', edits: arithmetic.regrouped },
  { ...inProjects, name: 'action repeated after loop', edits: guards.flushes },
  { ...inProjects, name: 'name changed throughout', edits: values.renamedThroughout },
  { ...inProjects, name: 'operand simplified', edits: attributes.simplerOperands },
  { ...inProjects, name: 'guard or copy added', edits: guards.guardsAndCopies },
  { ...inProjects, name: 'attribute changed', edits: attributes.otherAttributes },
  { ...inProjects, name: 'grouped term added', edits: arithmetic.groupedTerms },
  { name: 'constant for variable', edits: values.constantsForVariables },
  { name: 'condition added', languages: interpreted, edits: missing.addedConditions },
  { name: 'term added', languages: interpreted, edits: missing.addedTerms },
  { name: 'statement added', languages: interpreted, edits: addedStatements },
];
