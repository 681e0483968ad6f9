/** The input of an agent: a function with a bug, and the hidden tests. */

export const languages = ['python', 'js', 'go', 'rust', 'cpp', 'java'] as const;
export type Language = (typeof languages)[number];

/** How files of each language end. */
export const fileEndings = {
  python: 'py',
  js: 'js',
  go: 'go',
  rust: 'rs',
  cpp: 'cpp',
  java: 'java',
} as const;

export const bugTypes = [
  'missing logic',
  'excess logic',
  'value misuse',
  'operator misuse',
  'variable misuse',
  'function misuse',
] as const;
export type BugType = (typeof bugTypes)[number];

export interface Task {
  /** Unique in its dataset: `Python/0`, `mini/3`. */
  readonly id: string;
  readonly language: Language;
  /** The name of the function to repair, which the tests call. */
  readonly entryPoint: string;
  /** Everything before the function's body: imports, helpers and the header, without a docstring. */
  readonly declaration: string;
  /** A description of what the function should do, usually with examples; empty if the dataset has none. */
  readonly docstring: string;
  /** The whole program with the bug: declaration and buggy body. */
  readonly buggy: string;
  /** The whole program without the bug; never shown to a model. Empty if unknown. */
  readonly canonical: string;
  /** The hidden tests, which decide. */
  readonly tests: string;
  /** The docstring's examples as tests; empty if there are none. */
  readonly exampleTests: string;
  readonly bugType: BugType | null;
  /** The dataset's own columns for the published prompts, if it has them. */
  readonly published?: PublishedColumns;
}

/** As in HumanEvalPack, where Go's imports and test set-up are separate columns. */
export interface PublishedColumns {
  /** The declaration with the docstring. */
  readonly prompt: string;
  readonly declaration: string;
  readonly tests: string;
  /** Two tasks spell it in another case than the code. */
  readonly entryPoint?: string;
}

/** A program that the task's tests can judge: the solution or, if that is unknown, the buggy program. */
export function referenceOf({ canonical, buggy }: Pick<Task, 'canonical' | 'buggy'>): string {
  return canonical === '' ? buggy : canonical;
}

/** A task of code outside a dataset: no solution is known. */
export function taskOfCode(facts: Omit<Task, 'canonical' | 'exampleTests' | 'bugType'>): Task {
  return { ...facts, canonical: '', exampleTests: '', bugType: null };
}
