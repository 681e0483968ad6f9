/** What the agent is asked to repair: one function with a bug, and the tests that tell. */

export const languages = ['python', 'js', 'java', 'go', 'cpp', 'rust'] as const;
export type Language = (typeof languages)[number];

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
  /** Everything before the function's body: imports, helpers and the header line, no docstring. */
  readonly declaration: string;
  /** What the function should do, in words, usually with examples; empty if the dataset has none. */
  readonly docstring: string;
  /** The whole program with the bug: declaration and buggy body. */
  readonly buggy: string;
  /** The whole program without the bug; used by `verify`, never shown to a model. */
  readonly canonical: string;
  /** The tests that decide. */
  readonly tests: string;
  /** The docstring's examples as tests; empty if there are none. */
  readonly exampleTests: string;
  readonly bugType: BugType | null;
  /** The dataset's own columns, of which the published prompts are made, where it has them. */
  readonly published?: PublishedColumns;
}

/** As HumanEvalPack has them: Go's imports and the set-up of its tests are in other columns. */
export interface PublishedColumns {
  /** The declaration with the docstring. */
  readonly prompt: string;
  readonly declaration: string;
  readonly tests: string;
  /** In two tasks it is spelled in another case than in the code. */
  readonly entryPoint?: string;
}
