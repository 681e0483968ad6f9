import type { Language } from '../../core/task.ts';
import type { FunctionView, Replacement } from './function-view.ts';
import * as missing from './general/missing.ts';
import * as statements from './general/statements.ts';
import * as swaps from './general/swaps.ts';
import * as values from './general/values.ts';
import { addedArguments, addedWrappers } from './general/wrappers.ts';

/** A kind of edit. To add one, write its function, list it in `task-operators.ts` or `operators.ts` and give an example in its test. */
export interface Operator {
  readonly name: string;
  /** Languages of the functions that it changes; all of them if omitted. */
  readonly languages?: readonly Language[];
  /** All such edits of a function, always in the same order. */
  edits(view: FunctionView): Replacement[];
}

/** Languages without a compiler, which would refuse most of what these operators insert. */
export const interpreted: readonly Language[] = ['python', 'js'];

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
  { name: 'term dropped', edits: missing.droppedTerms },
  { name: 'wrapper dropped', edits: missing.droppedWrappers },
  { name: 'statement dropped', edits: missing.droppedStatements },
  { name: 'assignment swapped', edits: swaps.swappedAssignments },
  { name: 'off by one', edits: values.offByOne },
  { name: 'index changed', edits: values.otherIndices },
  { name: 'beginning changed', languages: interpreted, edits: values.otherBeginnings },
  { name: 'condition negated', edits: swaps.negatedConditions },
  { name: 'clause dropped', edits: missing.droppedClauses },
  { name: 'argument dropped', edits: missing.droppedArguments },
  { name: 'arguments swapped', edits: values.swappedArguments },
  { name: 'operands swapped', edits: swaps.swappedOperands },
  { name: 'text changed', edits: swaps.otherStrings },
  { name: 'condition dropped', edits: missing.droppedConditions },
  { name: 'branch joined', edits: statements.joinedBranches },
  { name: 'jump swapped', edits: statements.swappedJumps },
  { name: 'statement moved', edits: statements.movedStatements },
  { name: 'statements exchanged', edits: statements.exchangedStatements },
  { name: 'wrapper added', languages: interpreted, edits: addedWrappers },
  { name: 'return changed', edits: missing.otherReturns },
  { name: 'subscript added', languages: interpreted, edits: missing.addedSubscripts },
  { name: 'target swapped', edits: values.otherTargets },
  { name: 'argument added', languages: interpreted, edits: addedArguments },
  { name: 'constant for variable', edits: values.constantsForVariables },
  { name: 'condition added', languages: interpreted, edits: missing.addedConditions },
  { name: 'term added', languages: interpreted, edits: missing.addedTerms },
  { name: 'statement added', languages: interpreted, edits: statements.addedStatements },
];
