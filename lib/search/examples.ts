import type { Search } from '../core/attempt.ts';
import type { Feedback } from '../core/choices.ts';
import type { Task } from '../core/task.ts';
import { docstringExamples } from './docstring-examples.ts';

/** The task as the search tries candidates on it, and the source of its examples. */
export interface TriedOn {
  readonly task: Task;
  readonly triedOn: Search['tried_on'];
}

/**
 * With feedback `examples`, the docstring's examples replace the dataset's example tests, which are used only
 * if none can be parsed.
 */
export function triedOn(task: Task, feedback: Feedback): TriedOn {
  if (feedback === 'tests') return { task, triedOn: 'tests' };
  if (feedback === 'none') return { task, triedOn: 'nothing' };
  const { examples, source } = exampleSuite(task);
  return { task: { ...task, exampleTests: examples.map(line => `${line}\n`).join('') }, triedOn: source };
}

export interface ExampleSuite {
  /** Assertions, or the lines of a program with assertions. */
  readonly examples: readonly string[];
  readonly source: 'docstring' | 'dataset' | 'nothing';
}

/** The docstring's examples, or else the dataset's example tests. */
export function exampleSuite(task: Task): ExampleSuite {
  const shown = docstringExamples(task);
  if (shown.length > 0) return { examples: shown, source: 'docstring' };
  const given = task.exampleTests.trim();
  return given === '' ? { examples: [], source: 'nothing' } : { examples: [given], source: 'dataset' };
}
