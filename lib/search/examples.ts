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
  const { examples, source } = exampleSuite(task);
  return { task: { ...task, exampleTests: examples.map(line => `${line}\n`).join('') }, triedOn: source };
}

export interface ExampleSuite {
  /** Assertions, or the lines of a program of them. */
  readonly examples: readonly string[];
  readonly source: 'docstring' | 'dataset' | 'nothing';
}

/** What the docstring shows, or else the dataset's example tests. */
export function exampleSuite(task: Task): ExampleSuite {
  const shown = docstringExamples(task);
  if (shown.length > 0) return { examples: shown, source: 'docstring' };
  const given = task.exampleTests.trim();
  return given === '' ? { examples: [], source: 'nothing' } : { examples: [given], source: 'dataset' };
}
