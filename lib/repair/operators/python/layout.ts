import type { Node } from '@vscode/tree-sitter-wasm';
import { before, type FunctionView, type Replacement, variablesAt } from '../function-view.ts';

export function indentationOf(column: number): string {
  return ' '.repeat(column);
}

/** The text of a statement, one level deeper; null if that would change a string of several lines. */
export function shifted({ text }: Node): string | null {
  if (/"""|'''|\\\n/.test(text)) return null;
  return text.replaceAll('\n', '\n    ');
}

/** Inserts an action under a condition before a statement. */
export function guardBefore(statement: Node, test: string, action: string): Replacement {
  return before(statement, `if ${test}:\n${indentationOf(statement.startPosition.column + 4)}${action}`);
}

/** Statements of blocks, before which another may be inserted. */
export function isStatement(node: Node): boolean {
  return node.parent?.type === 'block' && node.type !== 'comment';
}

/** Variables that may be read at a node, without the object or class of a method. */
export function valuesAt(view: FunctionView, node: Node): string[] {
  return variablesAt(view, node).filter(name => name !== 'self' && name !== 'cls');
}
