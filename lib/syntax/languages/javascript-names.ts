import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren } from '../nodes.ts';

/** Names bound in the scope of a statement, including nested blocks. */
export function boundNames(node: Node): string[] {
  return descendants(node, child => !isFunction(child)).flatMap(bindings);
}

/**
 * Names that a node reads from outside. Everything that a function binds inside counts as its own; a
 * statement outside functions owns nothing.
 */
export function freeNames(node: Node, ownsBindings: boolean): string[] {
  const nodes = descendants(node);
  const own = new Set(ownsBindings ? nodes.flatMap(bindings) : []);
  const read = nodes
    .filter(child => child.type === 'identifier' || child.type === 'shorthand_property_identifier')
    .map(child => child.text);
  return [...new Set(read)].filter(name => !own.has(name));
}

/** The variables of a pattern: `{a, b: [c = 1], ...d}` gives a, c, d. */
export function patternNames(pattern: Node | null): string[] {
  if (!pattern) return [];
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_property_identifier_pattern') {
    return [pattern.text];
  }
  const bound = /^(?:object_)?assignment_pattern$/.test(pattern.type)
    ? [pattern.childForFieldName('left') ?? pattern.namedChild(0)]
    : namedChildren(pattern).filter(child => child.type !== 'property_identifier');
  return bound.flatMap(patternNames);
}

const isFunction = (node: Node) =>
  /^(?:arrow_function|function_expression|generator_function|(?:generator_)?function_declaration|class_declaration|method_definition)$/.test(
    node.type,
  );

function bindings(node: Node): string[] {
  switch (node.type) {
    case 'variable_declarator':
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_expression':
    case 'class_declaration':
      return patternNames(node.childForFieldName('name'));
    case 'assignment_expression':
    case 'augmented_assignment_expression':
      return isFunctionScoped(node) ? [] : patternNames(assigned(node));
    case 'formal_parameters':
      return patternNames(node);
    case 'arrow_function':
    case 'catch_clause':
      return patternNames(node.childForFieldName('parameter'));
    case 'for_in_statement':
      return node.childForFieldName('kind') ? patternNames(node.childForFieldName('left')) : [];
    case 'import_clause':
      return descendants(node)
        .filter(child => child.type === 'identifier')
        .map(child => child.text);
    default:
      return [];
  }
}

/** `a.b = 1` binds nothing. */
function assigned(node: Node): Node | null {
  const left = node.childForFieldName('left');
  return left && /^(?:member_expression|subscript_expression)$/.test(left.type) ? null : left;
}

/** An assignment inside a function may target a variable outside it, which the function then needs. */
function isFunctionScoped(node: Node): boolean {
  for (let above = node.parent; above; above = above.parent) if (isFunction(above)) return true;
  return false;
}
