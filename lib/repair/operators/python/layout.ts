import type { Node } from '@vscode/tree-sitter-wasm';
import { type FunctionView, variablesAt } from '../function-view.ts';

export function indentationOf(column: number): string {
  return ' '.repeat(column);
}

/** The text of a statement, one level deeper; null if that would change a string of several lines. */
export function shifted({ text }: Node): string | null {
  if (/"""|'''|\\\n/.test(text)) return null;
  return text.replaceAll('\n', '\n    ');
}

/** Statements of blocks, before which another may be inserted. */
export function isStatement(node: Node): boolean {
  return node.parent?.type === 'block' && node.type !== 'comment';
}

/** Variables that may be read at a node, without the object or class of a method. */
export function valuesAt(view: FunctionView, node: Node): string[] {
  return variablesAt(view, node).filter(name => name !== 'self' && name !== 'cls');
}
