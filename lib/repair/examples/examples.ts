import type { Search } from '../../core/attempt.ts';
import type { Feedback } from '../../core/choices.ts';
import type { Task } from '../../core/task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { isCompiled } from '../enumerate/words.ts';
import { testsOf } from './assertions/typed-assertions.ts';
import { docstringExamples } from './docstring-examples.ts';

/** The task as the search tries candidates on it, and the source of its examples. */
export interface TriedOn {
  readonly task: Task;
  readonly triedOn: Search['tried_on'];
}

/**
 * With feedback `examples`, the docstring's examples replace the dataset's example tests, which are used only
 * if none can be parsed, and in compiled languages.
 */
export function triedOn(parser: SyntaxParser, task: Task, feedback: Feedback): TriedOn {
  if (feedback === 'tests') return { task, triedOn: 'tests' };
  if (feedback === 'none') return { task, triedOn: 'nothing' };
  // In compiled languages, the dataset's are programs with the right types.
  if (isCompiled(task.language) && task.exampleTests.trim() !== '') return { task, triedOn: 'dataset' };
  const { examples, source } = exampleSuite(parser, task);
  const exampleTests = source === 'nothing' ? '' : testsOf(task.language, examples);
  return { task: { ...task, exampleTests }, triedOn: source };
}

export interface ExampleSuite {
  /** Assertions, or the lines of a program with assertions. */
  readonly examples: readonly string[];
  readonly source: 'docstring' | 'dataset' | 'nothing';
}

/** The docstring's examples, or else the dataset's example tests. */
export function exampleSuite(parser: SyntaxParser, task: Task): ExampleSuite {
  const shown = docstringExamples(parser, task);
  if (shown.length > 0) return { examples: shown, source: 'docstring' };
  const given = task.exampleTests.trim();
  return given === '' ? { examples: [], source: 'nothing' } : { examples: [given], source: 'dataset' };
}

/** What calls a task's function: its tests, and the docstring's examples as tests. */
export function suitesWithCalls(parser: SyntaxParser, task: Task): string[] {
  const examples = docstringExamples(parser, task);
  return [task.tests, ...(examples.length > 0 ? [testsOf(task.language, examples)] : [])];
}
