import type { Task } from '../../core/task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { testsOf } from './assertions/typed-assertions.ts';
import { docstringExamples } from './docstring-examples.ts';

/** What calls a task's function: its tests, and the docstring's examples as tests. */
export function suitesWithCalls(parser: SyntaxParser, task: Task): string[] {
  const examples = docstringExamples(parser, task);
  return [task.tests, ...(examples.length > 0 ? [testsOf(task.language, examples)] : [])];
}
