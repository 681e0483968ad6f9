import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren } from '../nodes.ts';

/** Names bound in the scope of a statement, including those inside `if`, `try`, `with` and loops. */
export function boundNames(node: Node): string[] {
  return descendants(node, child => !isScope(child)).flatMap(bindings);
}

/**
 * Names that a node reads from outside. Everything that a function binds inside counts as its own unless
 * declared `global`; a statement outside functions owns nothing.
 */
export function freeNames(node: Node, ownsBindings: boolean): string[] {
  const nodes = descendants(node);
  const own = new Set(ownsBindings ? nodes.flatMap(bindings) : []);
  for (const global of nodes.filter(child => child.type === 'global_statement')) {
    for (const name of namedChildren(global)) own.delete(name.text);
  }
  const read = nodes.filter(child => child.type === 'identifier' && !isLabel(child)).map(child => child.text);
  return [...new Set(read)].filter(name => !own.has(name));
}

/** `*` for a wildcard, and for a future import: its effect has no name. */
export function importedNames(node: Node): string[] {
  if (node.type === 'future_import_statement') return ['*'];
  const origin = node.childForFieldName('module_name');
  return namedChildren(node)
    .filter(child => child.id !== origin?.id && child.type !== 'comment')
    .map(child => {
      if (child.type === 'wildcard_import') return '*';
      return child.childForFieldName('alias')?.text ?? child.text.split('.')[0] ?? '';
    });
}

const isScope = (node: Node) => /^(?:function_definition|class_definition|lambda)$/.test(node.type);

function bindings(node: Node): string[] {
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
      return variables(node.childForFieldName('left'));
    case 'named_expression':
    case 'function_definition':
    case 'class_definition':
      return [node.childForFieldName('name')?.text ?? ''];
    case 'import_statement':
    case 'import_from_statement':
      return importedNames(node);
    case 'as_pattern_target':
    case 'case_pattern':
      return variables(node);
    case 'parameters':
    case 'lambda_parameters':
      return namedChildren(node).flatMap(parameter => parameterNames(parameter));
    default:
      return [];
  }
}

function parameterNames(parameter: Node): string[] {
  if (parameter.type === 'typed_parameter') return variables(parameter.namedChild(0));
  return variables(parameter.childForFieldName('name') ?? parameter);
}

/** The variables of an assignment target; `a.b` and `a[i]` bind none. */
function variables(target: Node | null): string[] {
  if (!target) return [];
  const plain = (node: Node) => !/^(?:attribute|subscript)$/.test(node.type);
  return descendants(target, plain)
    .filter(node => node.type === 'identifier')
    .map(node => node.text);
}

/** An identifier that names an attribute or an argument, not a variable. */
function isLabel(identifier: Node): boolean {
  const { parent } = identifier;
  if (parent?.type === 'attribute') return parent.childForFieldName('attribute')?.id === identifier.id;
  return parent?.type === 'keyword_argument' && parent.childForFieldName('name')?.id === identifier.id;
}
