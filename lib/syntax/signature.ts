import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants } from './nodes.ts';
import type { Parameter, Signature } from './program.ts';

/**
 * Whether every positional call that fits the declared signature also fits the other one. Annotations,
 * default values and names of positional parameters may differ, except for `usedNames`, the argument names
 * that tests use; additional parameters must be optional.
 */
export function acceptsSameCalls(
  declared: Signature,
  actual: Signature,
  usedNames: readonly string[] = [],
): boolean {
  return (
    declared.asynchronous === actual.asynchronous &&
    acceptsByPosition(declared, actual) &&
    acceptsByName(declared, actual, usedNames) &&
    needsNothingMore(declared, actual)
  );
}

function acceptsByPosition(declared: Signature, actual: Signature): boolean {
  const accepted = positional(actual);
  const takesRest = has(actual, 'rest');
  if (has(declared, 'rest') && !takesRest) return false;
  return positional(declared).every((parameter, index) => {
    const counterpart = accepted[index];
    return counterpart ? counterpart.optional || !parameter.optional : takesRest;
  });
}

function acceptsByName(declared: Signature, actual: Signature, usedNames: readonly string[]): boolean {
  if (has(actual, 'keyword-rest')) return true;
  if (has(declared, 'keyword-rest')) return false;
  const names = new Set(actual.parameters.map(parameter => parameter.name));
  return declared.parameters
    .filter(
      ({ kind, name }) => kind === 'keyword-only' || (kind === 'positional' && usedNames.includes(name)),
    )
    .every(({ name }) => names.has(name));
}

function needsNothingMore(declared: Signature, actual: Signature): boolean {
  const names = new Set(declared.parameters.map(parameter => parameter.name));
  const extra = positional(actual).slice(positional(declared).length);
  const keywords = actual.parameters.filter(({ kind, name }) => kind === 'keyword-only' && !names.has(name));
  return [...extra, ...keywords].every(parameter => parameter.optional);
}

function positional(signature: Signature): Parameter[] {
  return signature.parameters.filter(parameter => parameter.kind === 'positional');
}

function has(signature: Signature, kind: Parameter['kind']): boolean {
  return signature.parameters.some(parameter => parameter.kind === kind);
}

/** The last function with that name, or the value assigned to it; null if there is none. */
export function definitionIn(root: Node, name: string): Node | null {
  const definition = descendants(root).findLast(node => {
    if (
      /^(?:function_definition|function_declaration|generator_function_declaration|method_declaration|function_item)$/.test(
        node.type,
      )
    ) {
      return nameOf(node) === name;
    }
    return /function/.test(assignedValue(node)?.type ?? '') && assignedName(node) === name;
  });
  return definition ? (assignedValue(definition) ?? definition) : null;
}

/** The value that a program gives a name first; null if there is none. */
export function valueIn(root: Node, name: string): Node | null {
  const definition = descendants(root).find(node => assignedName(node) === name && assignedValue(node));
  return definition ? assignedValue(definition) : null;
}

/** Of `const f = …`, `f = …`, `f: …`, `exports.f = …`, a field, and `export default …`. */
export function assignedValue(node: Node): Node | null {
  if (!assignments.test(node.type)) return null;
  return node.childForFieldName('value') ?? node.childForFieldName('right');
}

const assignments =
  /^(?:variable_declarator|pair|assignment(?:_expression)?|(?:public_)?field_definition|export_statement)$/;

/** The name that the value gets, or the pattern. */
export function assignedName(node: Node): string | undefined {
  if (node.type === 'export_statement') return 'default';
  const fields = ['name', 'key', 'property', 'left'];
  const [target] = fields.flatMap(field => node.childForFieldName(field) ?? []);
  return (target?.childForFieldName('property') ?? target?.childForFieldName('attribute') ?? target)?.text;
}

/** In C++ the name is inside of what declares it, after `*` or `&`. */
function nameOf(node: Node): string | undefined {
  const nameNode = node.childForFieldName('name');
  const declarator = nameNode ? null : node.childForFieldName('declarator');
  return nameNode ? nameNode.text : declarator ? (nameOf(declarator) ?? declarator.text) : undefined;
}
