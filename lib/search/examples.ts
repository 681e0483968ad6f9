import type { Search } from '../core/attempt.ts';
import type { Task } from '../core/task.ts';
import type { Feedback } from '../prompt/feedback.ts';
import { docstringExamples } from './docstring-examples.ts';

/** The task as the search tries candidates on it, and where that comes from. */
export interface TriedOn {
  readonly task: Task;
  readonly triedOn: Search['tried_on'];
}

/**
 * With feedback `examples`, what the docstring shows takes the place of the dataset's example tests, which are left
 * only where nothing in it can be read.
 */
export function triedOn(task: Task, feedback: Feedback): TriedOn {
  if (feedback === 'tests') return { task, triedOn: 'tests' };
  if (feedback === 'none') return { task, triedOn: 'nothing' };
  const examples = docstringExamples(task);
  if (examples.length > 0)
    return { task: { ...task, exampleTests: `${examples.join('\n')}\n` }, triedOn: 'docstring' };
  return { task, triedOn: task.exampleTests.trim() === '' ? 'nothing' : 'dataset' };
}
