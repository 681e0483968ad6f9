import { addedArguments } from './general/arguments.ts';
import * as conditions from './general/conditions.ts';
import * as excess from './general/excess.ts';
import * as missing from './general/missing.ts';
import * as moves from './general/moves.ts';
import { addedStatements } from './general/statements.ts';
import * as swaps from './general/swaps.ts';
import * as texts from './general/texts.ts';
import * as values from './general/values.ts';
import { addedWrappers } from './general/wrappers.ts';
import { interpreted, type Operator } from './operator.ts';

/**
 * The operators of all commands, in the order in which their edits are tried on tasks: likely ones first, and those that
 * make many edits last.
 */
export const taskOperators: readonly Operator[] = [
  { name: 'operator swapped', edits: swaps.swappedOperators },
  { name: 'variable swapped', edits: values.otherVariables },
  { name: 'number changed', edits: values.otherNumbers },
  { name: 'boolean changed', edits: values.otherBooleans },
  { name: 'function swapped', edits: values.otherFunctions },
  { name: 'term dropped', edits: excess.droppedTerms },
  { name: 'wrapper dropped', edits: excess.droppedWrappers },
  { name: 'statement dropped', edits: excess.droppedStatements },
  { name: 'assignment swapped', edits: swaps.swappedAssignments },
  { name: 'off by one', edits: values.offByOne },
  { name: 'index changed', edits: values.otherIndices },
  { name: 'beginning changed', languages: interpreted, edits: values.otherBeginnings },
  { name: 'condition negated', edits: conditions.negatedConditions },
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
  { name: 'constant for variable', edits: values.constantsForVariables },
  { name: 'condition added', languages: interpreted, edits: missing.addedConditions },
  { name: 'term added', languages: interpreted, edits: missing.addedTerms },
  { name: 'statement added', languages: interpreted, edits: addedStatements },
];
