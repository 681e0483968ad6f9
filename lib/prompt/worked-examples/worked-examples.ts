import type { Language, Task } from '../../core/task.ts';
import { cppExamples, goExamples, javaExamples, rustExamples } from './compiled.ts';
import { javascriptExamples, pythonExamples } from './interpreted.ts';
import type { WorkedExample } from './worked-example.ts';

/** Number of examples per language. */
export const maxExamples = 4;

/** The language's first examples, up to the given number. */
export function workedExamples(language: Language, count: number): readonly ShownExample[] {
  return examplesOf[language].slice(0, count).map(example => ({
    language,
    entryPoint: example.entryPoint,
    declaration: example.declaration,
    docstring: example.docstring,
    buggy: example.declaration + example.buggyBody,
    fixed: example.declaration + example.fixedBody,
    explanation: example.explanation,
  }));
}

const examplesOf: Readonly<Record<Language, readonly WorkedExample[]>> = {
  python: pythonExamples,
  js: javascriptExamples,
  java: javaExamples,
  go: goExamples,
  cpp: cppExamples,
  rust: rustExamples,
};

export interface ShownExample
  extends Pick<Task, 'language' | 'entryPoint' | 'declaration' | 'docstring' | 'buggy'> {
  readonly fixed: string;
  readonly explanation: string;
}
