import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants } from './nodes.ts';

/** The last function with that name, or the value assigned to it; null if there is none. */
export function definitionIn(root: Node, name: string): Node | null {
  const found = descendants(root).findLast(node => {
    if (
      /^(?:function_definition|function_declaration|generator_function_declaration|method_declaration|function_item)$/.test(
        node.type,
      )
    ) {
      return nameOf(node) === name;
    }
    return /function/.test(assignedValue(node)?.type ?? '') && targetName(node) === name;
  });
  return found ? (assignedValue(found) ?? found) : null;
}

/** Of `const f = …`, `f: …` and `exports.f = …`. */
function assignedValue(node: Node): Node | null {
  if (!/^(?:variable_declarator|pair|assignment_expression)$/.test(node.type)) return null;
  return node.childForFieldName('value') ?? node.childForFieldName('right');
}

function targetName(node: Node): string | undefined {
  const [target] = ['name', 'key', 'left'].flatMap(field => node.childForFieldName(field) ?? []);
  return (target?.childForFieldName('property') ?? target)?.text;
}

/** In C++ the name is inside of what declares it, after `*` or `&`. */
function nameOf(node: Node): string | undefined {
  const own = node.childForFieldName('name');
  const declarator = own ? null : node.childForFieldName('declarator');
  return own ? own.text : declarator ? (nameOf(declarator) ?? declarator.text) : undefined;
}
