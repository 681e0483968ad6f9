import type { Node } from '@vscode/tree-sitter-wasm';
import type { Language } from '../../core/task.ts';
import { definitionIn } from '../../syntax/definition.ts';
import { descendants, namedChildren } from '../../syntax/nodes.ts';
import {
  binariesOf,
  boundBy,
  callOf,
  conditionOf,
  isBlock,
  isNumber,
  isString,
  isTarget,
  isVariable,
  memberOf,
} from '../../syntax/shapes.ts';
import { isCompiled, type Words, words } from '../enumerate/words.ts';
import type { FileNames } from './file-names.ts';

/** A change of the source: `start` to `end` is replaced by `text`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The function to repair, and its parts, from which repairs are assembled. */
export interface FunctionView {
  readonly language: Language;
  readonly words: Words;
  readonly code: string;
  readonly body: Node;
  /** All nodes below the body, in source order. */
  readonly nodes: readonly Node[];
  readonly parameters: readonly string[];
  /** Parameters and assigned variables, in order of appearance. */
  readonly variables: readonly string[];
  /** Functions that it calls by name. */
  readonly functions: readonly string[];
  readonly methods: readonly string[];
  readonly numbers: readonly string[];
  readonly strings: readonly string[];
  readonly conditions: readonly string[];
  /** Names of the file that the function is from; without any for a task. */
  readonly file: FileNames;
}

/** Null if the code has no such function, or one without a body. */
export function viewOf(
  root: Node,
  code: string,
  name: string,
  language: Language,
  file: FileNames,
): FunctionView | null {
  const definition = definitionIn(root, name);
  const body = definition?.childForFieldName('body');
  const said = words[language];
  if (!definition || !body) return null;
  const docstring = docstringOf(body);
  const isCode = (node: Node) => node.id !== docstring?.id && !(language === 'js' && isType(node));
  const nodes = descendants(body, isCode).filter(node => isCode(node) && !/comment$/.test(node.type));
  const list =
    definition.childForFieldName('parameters') ??
    definition.childForFieldName('parameter') ??
    definition.childForFieldName('declarator');
  const parameters = list ? namesIn(list) : [];
  const targets = nodes.flatMap(targetsOf);
  const unique = (texts: readonly string[]) => [...new Set(texts)];
  const calls = nodes.flatMap(node => callOf(node) ?? []);
  return {
    language,
    words: said,
    code,
    body,
    nodes,
    parameters,
    variables: unique([...parameters, ...targets]),
    functions: unique(
      calls.filter(({ callee }) => callee.type === 'identifier').map(({ callee }) => callee.text),
    ),
    methods: unique(calls.flatMap(({ callee }) => memberOf(callee)?.name.text ?? [])),
    numbers: unique(nodes.filter(isNumber).map(({ text }) => text)),
    strings: unique(nodes.filter(isString).map(({ text }) => text)),
    conditions: unique(nodes.flatMap(node => conditionOf(node)?.text ?? [])),
    file,
  };
}

/** TypeScript's annotations and arguments; nothing in them runs. */
function isType({ type }: Node): boolean {
  return /^type_(?:annotation|arguments|parameters)$/.test(type);
}

/** The variables that may be read at a node, approximately: those that are bound above it. */
export function variablesAt(view: FunctionView, node: Node): string[] {
  const bound = new Set(view.parameters);
  for (const other of view.nodes) {
    // A comprehension's variable is read before it is bound.
    if (other.startIndex >= node.startIndex && !(isComprehension(other) && encloses(other, node))) continue;
    if (isComprehension(other) && !encloses(other, node)) continue;
    for (const name of targetsOf(other)) {
      const scope = comprehensionOf(other);
      if (!scope || encloses(scope, node)) bound.add(name);
    }
  }
  for (let above = node.parent; above; above = above.parent) {
    if (!isComprehension(above)) continue;
    for (const clause of descendants(above)) for (const name of targetsOf(clause)) bound.add(name);
  }
  return view.variables.filter(name => bound.has(name));
}

function isComprehension(node: Node): boolean {
  return /_comprehension$|^generator_expression$/.test(node.type);
}

function comprehensionOf(node: Node): Node | null {
  for (let above: Node | null = node; above && !isBlock(above); above = above.parent) {
    if (isComprehension(above) || above.type === 'lambda' || above.type === 'arrow_function') return above;
  }
  return null;
}

function encloses(outer: Node, inner: Node): boolean {
  return outer.startIndex <= inner.startIndex && inner.endIndex <= outer.endIndex;
}

function docstringOf(body: Node): Node | null {
  const first = body.namedChild(0);
  return first?.type === 'expression_statement' && first.namedChild(0)?.type === 'string' ? first : null;
}

function targetsOf(node: Node): string[] {
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
function namesIn(pattern: Node | null): string[] {
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

/** Values that the function returns somewhere, and typical return values of edge cases. */
export function returnedTexts(view: FunctionView): string[] {
  const own = view.nodes.flatMap(node =>
    /^return_(?:statement|expression)$/.test(node.type) ? namedChildren(node).map(({ text }) => text) : [],
  );
  const { yes, no, nothing } = view.words;
  const short = own.filter(text => text.length < 25 && !text.includes('\n'));
  return [...new Set([...short, no, nothing, '0', '[]', "''", yes, '1', '-1', ...view.parameters])];
}

export function reads(view: FunctionView): Node[] {
  // Elsewhere any name may be a value; these languages have names of packages and classes in the same places.
  const isOwn = (name: string) => !isCompiled(view.language) || view.variables.includes(name);
  return view.nodes.filter(node => isVariable(node) && !isTarget(node) && isOwn(node.text));
}

export function binaries(view: FunctionView) {
  return view.nodes.flatMap(node => binariesOf(node).map(binary => ({ node, ...binary })));
}

export function put(
  node: { readonly startIndex: number; readonly endIndex: number },
  text: string,
): Replacement {
  return { start: node.startIndex, end: node.endIndex, text };
}
