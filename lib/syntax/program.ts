import type { Node } from '@vscode/tree-sitter-wasm';

/**
 * A program as plain data: its top-level statements, what they define and what they need. Enough to extract a
 * function from an answer with everything it depends on.
 */
export interface Statement {
  readonly kind: 'function' | 'class' | 'import' | 'other';
  /** The source, with decorators. */
  readonly text: string;
  /** False if it has a syntax error; then `needs` and `signature` are empty. */
  readonly parses: boolean;
  /** Names that it binds; `*` for a wildcard import. */
  readonly defines: readonly string[];
  /** Names that it reads and does not bind, approximately: nested scopes are treated as one. */
  readonly needs: readonly string[];
  /** Null for anything but functions. */
  readonly signature: Signature | null;
  /** Nested functions: methods of a class, functions inside a function. */
  readonly inner: readonly Statement[];
}

export interface Signature {
  /** As written, on one line, with annotations and without the body: `def f(a: int, b=2)`. */
  readonly text: string;
  readonly asynchronous: boolean;
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  /** `rest` takes any number of positional arguments, `keyword-rest` any keyword arguments. */
  readonly kind: 'positional' | 'keyword-only' | 'rest' | 'keyword-rest';
  /** Calls may omit it. */
  readonly optional: boolean;
}

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
  /** Puts methods that stand alone into the class of a declaration; absent where functions need no class. */
  readonly inDeclaredClass?: (
    parser: { statements(code: string): readonly Statement[] },
    declaration: string,
    methods: string,
  ) => string;
}
