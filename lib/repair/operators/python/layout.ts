import type { Node } from '@vscode/tree-sitter-wasm';
import { isLoop } from '../../../syntax/shapes.ts';
import type { Replacement } from '../function-view.ts';

export function indentationOf(column: number): string {
  return ' '.repeat(column);
}

/** The text of a statement, one level deeper; null if that would change a string of several lines. */
export function shifted({ text }: Node): string | null {
  if (/"""|'''|\\\n/.test(text)) return null;
  return text.replaceAll('\n', '\n    ');
}

export function before(node: Node, statement: string): Replacement {
  const text = `${statement}\n${indentationOf(node.startPosition.column)}`;
  return { start: node.startIndex, end: node.startIndex, text };
}

export function isInLoop(node: Node): boolean {
  for (let above = node.parent; above && !/function|lambda/.test(above.type); above = above.parent) {
    if (isLoop(above)) return true;
  }
  return false;
}

/** Statements of blocks, before which another may be inserted. */
export function isStatement(node: Node): boolean {
  return node.parent?.type === 'block' && node.type !== 'comment';
}
