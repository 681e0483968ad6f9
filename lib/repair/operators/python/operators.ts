import { repeated } from '../general/repeated.ts';
import * as values from '../general/values.ts';
import type { Operator } from '../task-operators.ts';
import { otherDefaults, passedOn } from './arguments.ts';
import * as conditions from './conditions.ts';
import { crashGuards } from './crashes.ts';
import * as exceptions from './exceptions.ts';
import * as fallbacks from './fallbacks.ts';
import { otherRegexes } from './regexes.ts';
import * as statements from './statements.ts';
import * as pyValues from './values.ts';

/** The operators that only repairs of Python projects try, by their names. */
export const pythonOperators: Readonly<Record<string, Operator['edits']>> = {
  'crash guarded': crashGuards,
  'handler widened': exceptions.widerHandlers,
  'error changed': exceptions.otherErrors,
  'error raised': exceptions.raisedErrors,
  'error caught': exceptions.caughtErrors,
  'missing value tested': conditions.otherPresence,
  'term about value added': conditions.nearbyTerms,
  'missing item or attribute allowed': fallbacks.lookups,
  'keyword argument added': passedOn,
  'value normalized': pyValues.normalized,
  'alternative added': fallbacks.alternatives,
  'default changed': otherDefaults,
  'receiver changed': pyValues.otherReceivers,
  'attribute dropped': pyValues.droppedAttributes,
  'type added': pyValues.moreTypes,
  'tuple formatted': pyValues.formattedTuples,
  'method called': statements.addedCalls,
  'statement made conditional': statements.guardedStatements,
  'pattern changed': otherRegexes,
  'result made conditional': fallbacks.conditionalResults,
  'edit repeated': repeated([
    pyValues.normalized,
    fallbacks.lookups,
    values.otherFunctions,
    values.otherNumbers,
    statements.guardedStatements,
  ]),
  'item left out': conditions.filteredItems,
  'value prepared': statements.preparedValues,
  'type guarded': statements.typeGuards,
  'statement moved farther': statements.distantMoves,
};
