import { repeated } from '../general/repeated.ts';
import * as swaps from '../general/swaps.ts';
import * as values from '../general/values.ts';
import type { Operator } from '../task-operators.ts';
import * as conditions from './conditions.ts';
import { otherRegexes } from './regexes.ts';
import * as statements from './statements.ts';
import * as jsValues from './values.ts';

/** The operators that only repairs of JavaScript projects try, by their names. */
export const javascriptOperators: Readonly<Record<string, Operator['edits']>> = {
  'presence tested otherwise': conditions.otherPresence,
  'own property asked': conditions.hasOwnChecks,
  'chain made optional': jsValues.optionalChains,
  'regular expression changed': otherRegexes,
  'nearby term added': conditions.nearbyTerms,
  'same edit repeated': repeated([
    conditions.hasOwnChecks,
    jsValues.optionalChains,
    jsValues.otherCollections,
    swaps.swappedOperators,
    values.otherFunctions,
    values.otherNumbers,
    conditions.otherPresence,
    otherRegexes,
  ]),
  'collection changed': jsValues.otherCollections,
  'default added': jsValues.defaults,
  'text normalized': jsValues.normalized,
  'nearby argument added': jsValues.nearbyArguments,
  'early return added': statements.earlyReturns,
  'error caught': statements.caughtErrors,
  'statement guarded': statements.guardedStatements,
  'helper looks up': jsValues.helperLookups,
};
