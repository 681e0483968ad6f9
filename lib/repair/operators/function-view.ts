import type { Node } from '@vscode/tree-sitter-wasm';
import type { Repairable } from '../../../machines/project-actors.ts';
import type { Language } from '../../core/task.ts';
import {
  binariesOf,
  boundBy,
  callOf,
  conditionOf,
  descendants,
  isBlock,
  isNumber,
  isString,
  isTarget,
  isVariable,
  memberOf,
  namedChildren,
} from '../../syntax/nodes.ts';
import { definitionIn, valueIn } from '../../syntax/signature.ts';
import { isCompiled, syntaxWords, type Words } from '../enumerate/words.ts';
import { documentedNumbers, type FailureFacts, type FileNames, noFacts, noNames } from './facts.ts';

/** A change of the source: `start` to `end` is replaced by `text`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The function or constant to repair, and its parts, from which repairs are assembled. */
export interface FunctionView {
  readonly language: Language;
  readonly syntax: Words;
  readonly code: string;
  readonly body: Node;
  /** The nodes to edit, in source order: all of the body, or those of one line. */
  readonly nodes: readonly Node[];
  /** All nodes of the body. */
  readonly all: readonly Node[];
  /** Whether statements may be inserted before a statement, or it be moved or removed. */
  readonly covers: (statement: Node) => boolean;
  /** The body, which may be an expression, and all blocks in it. */
  readonly blocks: readonly Node[];
  readonly bindings: readonly Binding[];
  /** The list of parameters; null if there is none. */
  readonly signature: Node | null;
  readonly parameters: readonly string[];
  /** Parameters and assigned variables, in order of appearance. */
  readonly variables: readonly string[];
  /** Functions that it calls by name. */
  readonly functions: readonly string[];
  readonly methods: readonly string[];
  readonly numbers: readonly string[];
  /** Numbers that the docstring, a comment or a name says; none for a task. */
  readonly documented: readonly string[];
  readonly strings: readonly string[];
  readonly conditions: readonly string[];
  /** Assignments and other statements of one line, and returned values. */
  readonly assignments: readonly string[];
  readonly actions: readonly string[];
  readonly results: readonly string[];
  /** Names of the file that the function is from; without any for a task. */
  readonly file: FileNames;
  /** What the failing tests say; nothing for a task. */
  readonly failures: FailureFacts;
}

/**
 * Null if the code has no such function, or one without a body. The body of a constant is its value.
 * @param file null for a task
 * @param documentation what is said about it elsewhere than in the code
 */
export function viewOf(
  root: Node,
  code: string,
  name: string,
  language: Language,
  file: FileNames | null,
  failures: FailureFacts = noFacts,
  kind: Repairable = 'function',
  documentation = '',
): FunctionView | null {
  const isConstant = kind === 'constant';
  const definition = isConstant ? valueIn(root, name) : definitionIn(root, name);
  const body = isConstant ? definition : definition?.childForFieldName('body');
  const said = syntaxWords[language];
  if (!definition || !body) return null;
  const docstring = docstringOf(body);
  const isCode = (node: Node) => node.id !== docstring?.id && !(language === 'js' && isType(node));
  const nodes = descendants(body, isCode).filter(node => isCode(node) && !/comment$/.test(node.type));
  const list =
    definition.childForFieldName('parameters') ??
    definition.childForFieldName('parameter') ??
    definition.childForFieldName('declarator');
  const parameters = list ? namesIn(list) : [];
  const bindings = file && language === 'js' ? scopedBindings(nodes, body) : bindingsOf(nodes);
  const unique = (texts: readonly string[]) => [...new Set(texts)];
  const calls = nodes.flatMap(node => callOf(node) ?? []);
  const variables = unique([...parameters, ...bindings.map(({ name }) => name)]);
  return {
    language,
    syntax: said,
    code,
    body,
    nodes,
    all: nodes,
    covers: () => true,
    blocks: [body, ...nodes.filter(node => isBlock(node) && node.id !== body.id)],
    bindings,
    signature: list,
    parameters,
    variables,
    functions: unique(
      calls.filter(({ callee }) => callee.type === 'identifier').map(({ callee }) => callee.text),
    ),
    methods: unique(calls.flatMap(({ callee }) => memberOf(callee)?.name.text ?? [])),
    numbers: unique(nodes.filter(isNumber).map(({ text }) => text)),
    documented: file
      ? documentedNumbers(root, [documentation, docstring?.text ?? ''], [name, ...variables])
      : [],
    strings: unique(nodes.filter(isString).map(({ text }) => text)),
    conditions: unique(nodes.flatMap(node => conditionOf(node)?.text ?? [])),
    assignments: nodes
      .filter(({ type, text }) => /assignment/.test(type) && !text.includes('\n'))
      .map(textOf),
    actions: nodes
      .filter(({ type, text }) => type === 'expression_statement' && !text.includes('\n'))
      .map(({ text }) => text.replace(/;$/, '')),
    results: nodes
      .filter(({ type }) => /^return_(?:statement|expression)$/.test(type))
      .flatMap(node => namedChildren(node).map(textOf)),
    file: file ?? noNames,
    failures,
  };
}

/** TypeScript's annotations and arguments; nothing in them runs. */
function isType({ type }: Node): boolean {
  return /^type_(?:annotation|arguments|parameters)$/.test(type);
}

/** The variables that may be read at a node, approximately: those that are bound above it. */
export function variablesAt(view: FunctionView, node: Node): string[] {
  const bound = new Set(view.parameters);
  for (const { name, node: other, scope } of view.bindings) {
    if (other.startIndex < node.startIndex && (!scope || encloses(scope, node))) bound.add(name);
  }
  // A comprehension's variable is read before it is bound.
  for (let above = node.parent; above; above = above.parent) {
    if (!isComprehension(above)) continue;
    for (const clause of descendants(above)) for (const name of targetsOf(clause)) bound.add(name);
  }
  return view.variables.filter(name => bound.has(name));
}

function encloses(outer: Node, inner: Node): boolean {
  return outer.startIndex <= inner.startIndex && inner.endIndex <= outer.endIndex;
}

function docstringOf(body: Node): Node | null {
  const first = body.namedChild(0);
  return first?.type === 'expression_statement' && first.namedChild(0)?.type === 'string' ? first : null;
}

/** Values that the function returns somewhere, and typical return values of edge cases. */
export function returnedTexts(view: FunctionView): string[] {
  const { yes, no, nothing } = view.syntax;
  const short = view.results.filter(text => text.length < 25 && !text.includes('\n'));
  return [...new Set([...short, no, nothing, '0', '[]', "''", yes, '1', '-1', ...view.parameters])];
}

function textOf({ text }: Node): string {
  return text;
}

export function reads(view: FunctionView): Node[] {
  // Elsewhere any name may be a value; these languages have names of packages and classes in the same places.
  const isOwn = (name: string) => !isCompiled(view.language) || view.variables.includes(name);
  return view.nodes.filter(node => isVariable(node) && !isTarget(node) && isOwn(node.text));
}

export function binaries(view: FunctionView) {
  return view.nodes.flatMap(node => binariesOf(node).map(binary => ({ node, ...binary })));
}

/** Each node once. */
export function distinct(nodes: readonly Node[]): Node[] {
  return [...new Map(nodes.map(node => [node.id, node])).values()];
}

/** Inserts a statement before a node that starts its line. */
export function before(node: Node, statement: string): Replacement {
  const text = `${statement}\n${' '.repeat(node.startPosition.column)}`;
  return { start: node.startIndex, end: node.startIndex, text };
}

export function put(
  node: { readonly startIndex: number; readonly endIndex: number },
  text: string,
): Replacement {
  return { start: node.startIndex, end: node.endIndex, text };
}

/** A name that a node of a function binds. */
interface Binding {
  readonly name: string;
  readonly node: Node;
  /** Outside of it, the name does not exist; null for the whole function. */
  readonly scope: Node | null;
}

/** The names that nodes bind, with scopes of comprehensions and lambdas only. */
function bindingsOf(nodes: readonly Node[]): Binding[] {
  return nodes.flatMap(node => targetsOf(node).map(name => ({ name, node, scope: comprehensionOf(node) })));
}

/** The names that nodes of a JavaScript function bind, with their blocks and nested functions as scopes. */
function scopedBindings(nodes: readonly Node[], body: Node): Binding[] {
  const declared = nodes.flatMap(node => {
    const names = node.type === 'assignment_expression' ? [] : [...targetsOf(node), ...parametersOf(node)];
    return names.map(name => ({ name, node, scope: scopeOf(node, body) }));
  });
  const declaredNames = new Set(declared.map(({ name }) => name));
  const assigned = bindingsOf(nodes.filter(({ type }) => type === 'assignment_expression'));
  return [...declared, ...assigned.filter(({ name }) => !declaredNames.has(name))].toSorted(
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

function isComprehension(node: Node): boolean {
  return /_comprehension$|^generator_expression$/.test(node.type);
}

function comprehensionOf(node: Node): Node | null {
  for (let above: Node | null = node; above && !isBlock(above); above = above.parent) {
    if (isComprehension(above) || above.type === 'lambda' || above.type === 'arrow_function') return above;
  }
  return null;
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
