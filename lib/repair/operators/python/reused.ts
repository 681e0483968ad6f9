import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement, reads } from '../function-view.ts';

/** Longer expressions are rarely repeated. */
const MAX_LENGTH = 40;

/** Takes for a variable what the function makes of it elsewhere: `a.b` or `a or b` for `a`. */
export function reusedExpressions(view: FunctionView): Replacement[] {
  const made = new Map<string, Set<string>>();
  for (const node of view.all) {
    if (!isMade(node)) continue;
    for (const { type, text } of descendants(node)) {
      if (type !== 'identifier' || text === 'self') continue;
      const own = made.get(text) ?? new Set();
      made.set(text, own.add(/^(?:boolean|binary)_operator$/.test(node.type) ? `(${node.text})` : node.text));
    }
  }
  return reads(view).flatMap(node =>
    [...(made.get(node.text) ?? [])].filter(text => !isPartOf(node, text)).map(text => put(node, text)),
  );
}

function isMade({ type, text, parent }: Node): boolean {
  const isCalled = parent?.type === 'call' && type === 'attribute';
  return (
    /^(?:attribute|subscript|call|boolean_operator|binary_operator)$/.test(type) &&
    !isCalled &&
    text.length <= MAX_LENGTH &&
    !text.includes('\n')
  );
}

/** Whether the expression is around the variable already. */
function isPartOf(node: Node, text: string): boolean {
  for (let above = node.parent; above && above.text.length <= MAX_LENGTH; above = above.parent)
    if (above.text === text || `(${above.text})` === text) return true;
  return false;
}
