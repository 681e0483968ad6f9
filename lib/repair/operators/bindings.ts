import type { Node } from '@vscode/tree-sitter-wasm';
import { boundBy, isBlock } from '../../syntax/shapes.ts';

/** A name that a node of a function binds. */
export interface Binding {
  readonly name: string;
  readonly node: Node;
  /** Outside of it, the name does not exist; null for the whole function. */
  readonly scope: Node | null;
}

/** The names that nodes bind, with scopes of comprehensions and lambdas only. */
export function bindingsOf(nodes: readonly Node[]): Binding[] {
  return nodes.flatMap(node => targetsOf(node).map(name => ({ name, node, scope: comprehensionOf(node) })));
}

/** The names that nodes of a JavaScript function bind, with their blocks and nested functions as scopes. */
export function scopedBindings(nodes: readonly Node[], body: Node): Binding[] {
  const declared = nodes.flatMap(node => {
    const names = node.type === 'assignment_expression' ? [] : [...targetsOf(node), ...parametersOf(node)];
    return names.map(name => ({ name, node, scope: scopeOf(node, body) }));
  });
  const known = new Set(declared.map(({ name }) => name));
  const assigned = bindingsOf(nodes.filter(({ type }) => type === 'assignment_expression'));
  return [...declared, ...assigned.filter(({ name }) => !known.has(name))].toSorted(
    (a, b) => a.node.startIndex - b.node.startIndex,
  );
}

function scopeOf(node: Node, body: Node): Node | null {
  const isOwn = functions.test(node.type) || node.type === 'for_in_statement';
  const isLexical = node.parent?.type === 'lexical_declaration';
  for (let above = isOwn ? node : node.parent; above && above.id !== body.id; above = above.parent) {
    if (functions.test(above.type) || above.id === node.id) return above;
    if (isLexical && /^(?:statement_block|for_statement|switch_body)$/.test(above.type)) return above;
  }
  return null;
}

const functions =
  /^(?:arrow_function|function_expression|generator_function|function_declaration|generator_function_declaration|method_definition)$/;

/** Of a nested function; those of an arrow function are its targets. */
function parametersOf(node: Node): string[] {
  const isOther = functions.test(node.type) && node.type !== 'arrow_function';
  return isOther ? namesIn(node.childForFieldName('parameters')) : [];
}

export function isComprehension(node: Node): boolean {
  return /_comprehension$|^generator_expression$/.test(node.type);
}

function comprehensionOf(node: Node): Node | null {
  for (let above: Node | null = node; above && !isBlock(above); above = above.parent) {
    if (isComprehension(above) || above.type === 'lambda' || above.type === 'arrow_function') return above;
  }
  return null;
}

export function targetsOf(node: Node): string[] {
  switch (node.type) {
    case 'for_statement':
    case 'for_in_clause':
    case 'for_in_statement':
    case 'assignment':
    case 'assignment_expression':
      return namesIn(node.childForFieldName('left'));
    case 'variable_declarator':
      return namesIn(node.childForFieldName('name'));
    case 'lambda':
      return namesIn(node.childForFieldName('parameters'));
    case 'arrow_function':
      return namesIn(node.childForFieldName('parameters') ?? node.childForFieldName('parameter'));
    default:
      return boundBy(node).flatMap(namesIn);
  }
}

/** The names that a pattern binds; `a.b` and `a[i]` bind none, and types and defaults are not names. */
export function namesIn(pattern: Node | null): string[] {
  if (
    !pattern ||
    /^(?:attribute|subscript|member_expression|subscript_expression|(?!typed_)\w*type\w*|index_expression|array_access|field_\w+|selector_expression|qualified_identifier)$/.test(
      pattern.type,
    )
  )
    return [];
  if (/^(?:identifier|shorthand_property_identifier_pattern)$/.test(pattern.type)) return [pattern.text];
  if (/^(?:default_parameter|typed_default_parameter)$/.test(pattern.type))
    return namesIn(pattern.childForFieldName('name'));
  if (pattern.type === 'assignment_pattern') return namesIn(pattern.childForFieldName('left'));
  if (pattern.type === 'typed_parameter') return namesIn(pattern.namedChild(0));
  if (/^(?:required|optional)_parameter$/.test(pattern.type))
    return namesIn(pattern.childForFieldName('pattern'));
  return pattern.namedChildren.flatMap(child => namesIn(child));
}
