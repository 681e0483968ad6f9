import type { Node } from '@vscode/tree-sitter-wasm';
import type { Statement } from './program.ts';

/** What the parser needs to know about a language. */
export interface Grammar {
  /** The top-level statements of a tree. */
  statements(root: Node): Statement[];
  /** Names of arguments in calls: `f(key=1)` gives `key`. */
  argumentNames(root: Node): string[];
  /** Matches an unindented line that starts a statement worth keeping, as opposed to prose. */
  readonly opensCode: RegExp;
  /** Matches an unindented line that continues the statement above it. */
  readonly continues: RegExp;
  /** Matches an unindented function header; its only group is the name. */
  readonly header: RegExp;
  /** Strings and comments, closed or not, which may contain brackets; sticky. */
  readonly literals: RegExp;
}
