/**
 * A program as plain data: what stands at its top level, what that defines and what it needs.
 * Enough to take a function out of an answer together with all that it rests on.
 */
export interface Statement {
  readonly kind: 'function' | 'class' | 'import' | 'other';
  /** The source, with decorators. */
  readonly text: string;
  /** False if the parser met an error in it; then `needs` and `signature` are unknown and empty. */
  readonly parses: boolean;
  /** Names that it binds; `*` for a wildcard import. */
  readonly defines: readonly string[];
  /** Names that it reads and does not bind itself, roughly: scopes inside it are taken as one. */
  readonly needs: readonly string[];
  /** Null for all but functions. */
  readonly signature: Signature | null;
  /** Functions that are defined inside: methods of a class, functions of a function. */
  readonly inner: readonly Statement[];
}

export interface Signature {
  /** As written, on one line, without annotations removed or the body: `def f(a: int, b=2)`. */
  readonly text: string;
  readonly asynchronous: boolean;
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  /** `rest` takes any number by position, `keyword-rest` any by name. */
  readonly kind: 'positional' | 'keyword-only' | 'rest' | 'keyword-rest';
  /** A call may leave it out. */
  readonly optional: boolean;
}
