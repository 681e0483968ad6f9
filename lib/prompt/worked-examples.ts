import type { Language, Task } from '../core/task.ts';
import { javascriptExamples } from './worked-examples-javascript.ts';
import { pythonExamples } from './worked-examples-python.ts';

/** Number of examples per language. */
export const maxExamples = 4;

/** The first examples, up to the given number; Python's if a language has none of its own. */
export function workedExamples(language: Language, count: number): readonly ShownExample[] {
  const isJavaScript = language === 'js';
  const examples = isJavaScript ? javascriptExamples : pythonExamples;
  return examples.slice(0, count).map(example => ({
    language: isJavaScript ? 'js' : 'python',
    entryPoint: example.entryPoint,
    declaration: example.declaration,
    docstring: example.docstring,
    buggy: example.declaration + example.buggyBody,
    fixed: example.declaration + example.fixedBody,
    explanation: example.explanation,
  }));
}

export interface ShownExample
  extends Pick<Task, 'language' | 'entryPoint' | 'declaration' | 'docstring' | 'buggy'> {
  readonly fixed: string;
  readonly explanation: string;
}
