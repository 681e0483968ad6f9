import type { Language } from '../../core/task.ts';
import type { FunctionView, Replacement } from './function-view.ts';

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
