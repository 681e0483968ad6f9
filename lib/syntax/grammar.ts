import type { Node } from '@vscode/tree-sitter-wasm';
import type { Statement } from './program.ts';

/** What has to be known about a language to read its programs. */
export interface Grammar {
  /** The top-level statements of a tree. */
  statements(root: Node): Statement[];
  /** Names given to arguments in calls: `f(key=1)` gives `key`. */
  argumentNames(root: Node): string[];
  /** A line at the left margin that opens a statement of a kind worth keeping, unlike prose. */
  readonly opensCode: RegExp;
  /** A line at the left margin that goes on with the statement above it. */
  readonly continues: RegExp;
  /** A function's header at the left margin; its one group is the name. */
  readonly header: RegExp;
  /** Strings and comments, closed or not, which may hold brackets; sticky. */
  readonly literals: RegExp;
}
