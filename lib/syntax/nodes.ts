import type { Node } from '@vscode/tree-sitter-wasm';
import type { Parameter, Signature, Statement } from './program.ts';

/** Helpers for tree-sitter's nodes, whose children may be null in its types. */

export function namedChildren(node: Node): Node[] {
  return node.namedChildren.filter(child => child !== null);
}

export function children(node: Node): Node[] {
  return node.children.filter(child => child !== null);
}

/** The source of a node's field; empty if it has none. */
export function fieldText(node: Node, field: string): string {
  return node.childForFieldName(field)?.text ?? '';
}

/** The node and its descendants in source order; skips the children of nodes for which `enter` is false. */
export function descendants(node: Node, enter: (node: Node) => boolean = () => true): Node[] {
  const nodes: Node[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    nodes.push(next);
    if (!enter(next)) continue;
    // Not with `...`, which a list of 100,000 numbers would fill the stack with.
    for (const child of namedChildren(next).reverse()) waiting.push(child);
  }
  return nodes;
}

/** The names in nodes of these types that are neither defined nor bound inside; scopes are taken as one. */
export function unboundNames(
  node: Node,
  types: readonly string[],
  defines: readonly string[],
  boundNames: (node: Node) => readonly string[],
): string[] {
  const nodes = descendants(node);
  const bound = new Set([...defines, ...nodes.flatMap(boundNames)]);
  const read = nodes.filter(({ type }) => types.includes(type));
  return [...new Set(read.map(({ text }) => text))].filter(name => !bound.has(name));
}

/** A statement without signature and nested functions; `needs` is not called for code with syntax errors. */
export function plainStatement(
  kind: Statement['kind'],
  node: Node,
  defines: readonly string[],
  needs: () => readonly string[],
): Statement {
  return {
    kind,
    text: dedentedText(node),
    parses: !node.hasError,
    defines,
    needs: node.hasError ? [] : needs(),
    signature: null,
    inner: [],
  };
}

/** The source of a node, dedented if its first line is indented. */
export function dedentedText(node: Node): string {
  if (node.startPosition.column === 0) return node.text;
  const margin = marginOf(node);
  const [first = '', ...rest] = node.text.split('\n');
  return [first, ...rest.map(line => line.slice(Math.min(margin, line.search(/\S|$/))))].join('\n');
}

/** The indentation of the line where a node starts. The root's text leaves out the white space before it. */
function marginOf({ startPosition: { row }, tree: { rootNode } }: Node): number {
  const { row: firstRow, column } = rootNode.startPosition;
  if (row === firstRow) return column;
  const line = rootNode.text.split('\n')[row - firstRow] ?? '';
  return line.search(/\S|$/);
}

/** From the start of a node up to a node inside it, on one line. */
export function textBefore(node: Node, end: Node): string {
  return node.text
    .slice(0, end.startIndex - node.startIndex)
    .replace(/\s+/g, ' ')
    .trim();
}

/** The signature of a function of a compiled language; null if it has no body or does not parse. */
export function signatureOf(
  node: Node,
  declarator: Node | null | undefined,
  parametersOf: (list: Node) => Parameter[],
): Signature | null {
  const body = node.childForFieldName('body');
  const list = declarator?.childForFieldName('parameters');
  if (node.hasError || !body || !list) return null;
  return { text: textBefore(node, body), asynchronous: false, parameters: parametersOf(list) };
}

/**
 * What operators need to know about a node, independent of the language. Node types: the grammar.js of
 * each language's tree-sitter grammar.
 */

type OperatorKind = 'comparison' | 'arithmetic' | 'logical';

interface Binary {
  readonly left: Node;
  readonly operator: Node;
  readonly right: Node;
  readonly kind: OperatorKind;
}

const comparisons = /^(?:[<>]=?|[!=]==?|in|not in|is|is not|<>|instanceof)$/;
const logicals = /^(?:and|or|&&|\|\||\?\?)$/;

/** One, or one per operator of a chain such as `0 < x < 9`. */
export function binariesOf(node: Node): Binary[] {
  if (!/^(?:binary_operator|boolean_operator|comparison_operator|binary_expression)$/.test(node.type))
    return [];
  const parts = children(node).filter(({ type }) => type !== 'comment');
  return parts.flatMap((operator, index) => {
    const left = parts[index - 1];
    const right = parts[index + 1];
    return index % 2 === 1 && left && right ? [{ left, operator, right, kind: kindOf(operator) }] : [];
  });
}

function kindOf({ type }: Node): OperatorKind {
  if (comparisons.test(type)) return 'comparison';
  return logicals.test(type) ? 'logical' : 'arithmetic';
}

export interface Call {
  readonly callee: Node;
  readonly args: readonly Node[];
}

export function callOf(node: Node): Call | null {
  if (!/^(?:call|call_expression|new_expression|method_invocation)$/.test(node.type)) return null;
  const callee = fieldOf(node, ['function', 'constructor', 'name']);
  const list = node.childForFieldName('arguments');
  if (!callee || !list) return null;
  const args = /^(?:argument_list|arguments)$/.test(list.type) ? namedChildren(list) : [];
  return { callee, args: args.filter(({ type }) => type !== 'comment') };
}

/** `object.name` */
export function memberOf(node: Node): { readonly object: Node; readonly name: Node } | null {
  if (!/^(?:attribute|member_expression|selector_expression|field_expression|field_access)$/.test(node.type))
    return null;
  const object = fieldOf(node, ['object', 'operand', 'argument', 'value']);
  const name = fieldOf(node, ['attribute', 'property', 'field']);
  return object && name ? { object, name } : null;
}

/** `object[index]` */
export function subscriptOf(node: Node): { readonly object: Node; readonly index: Node } | null {
  if (!/^(?:subscript|subscript_expression|index_expression|array_access)$/.test(node.type)) return null;
  const object = fieldOf(node, ['value', 'object', 'operand', 'argument', 'array']) ?? node.namedChild(0);
  const indices = node.childForFieldName('indices')?.namedChild(0);
  const index = fieldOf(node, ['subscript', 'index']) ?? indices ?? node.namedChild(1);
  return object && index ? { object, index } : null;
}

/** The condition of a statement, a ternary or a comprehension, without parentheses. */
export function conditionOf(node: Node): Node | null {
  if (
    /^(?:if_statement|elif_clause|while_statement|do_statement|for_statement|for_clause|ternary_expression|if_expression|while_expression)$/.test(
      node.type,
    )
  ) {
    const condition = node.childForFieldName('condition');
    // C++ has a clause around it.
    return bare(condition?.type === 'condition_clause' ? condition.childForFieldName('value') : condition);
  }
  if (node.type === 'if_clause') return node.namedChild(0);
  return node.type === 'conditional_expression'
    ? (node.childForFieldName('condition') ?? node.namedChild(1))
    : null;
}

export function bare(node: Node | null): Node | null {
  return /^(?:parenthesized_expression|expression_statement)$/.test(node?.type ?? '') && node
    ? bare(node.namedChild(0))
    : node;
}

/** The whole expression that a statement returns or assigns. */
export function resultOf(node: Node): Node | null {
  if (/^return_(?:statement|expression)$/.test(node.type)) return node.namedChild(0);
  if (
    /^(?:assignment|assignment_expression|assignment_statement|compound_assignment_expr|augmented_assignment|augmented_assignment_expression)$/.test(
      node.type,
    )
  ) {
    return node.childForFieldName('right');
  }
  if (/^(?:variable_declarator|init_declarator|let_declaration)$/.test(node.type))
    return node.childForFieldName('value');
  if (node.type === 'arrow_function') {
    const body = node.childForFieldName('body');
    return body?.type === 'statement_block' ? null : body;
  }
  return /_comprehension$|^generator_expression$/.test(node.type) ? node.childForFieldName('body') : null;
}

/** Nodes whose children are statements. */
export function isBlock(node: Node): boolean {
  // In Go a block has a list of statements.
  if (node.type === 'block') return node.namedChild(0)?.type !== 'statement_list';
  return /^(?:statement_block|statement_list|compound_statement)$/.test(node.type);
}

export function isLoop(node: Node): boolean {
  return /^(?:for_statement|while_statement|for_in_statement|do_statement|enhanced_for_statement|for_range_loop|(?:for|while|loop)_expression)$/.test(
    node.type,
  );
}

/** Whether a loop of the same function is around a node. */
export function isInLoop(node: Node): boolean {
  for (let above = node.parent; above && !/function|lambda/.test(above.type); above = above.parent) {
    if (isLoop(above)) return true;
  }
  return false;
}

export function isNumber(node: Node): boolean {
  return /^(?:integer|float|number|number_literal|(?:int|integer|float|decimal_integer|decimal_floating_point)_literal)$/.test(
    node.type,
  );
}

export function isString(node: Node): boolean {
  if (/^(?:interpreted_)?string_literal$/.test(node.type)) return node.text.startsWith('"');
  return node.type === 'string' && !/^[A-Za-z]*[fF]/.test(node.text);
}

/** An identifier used as a value, not as the name of a function, an argument, a property or a target. */
export function isVariable(node: Node): boolean {
  if (node.type !== 'identifier') return false;
  const { parent } = node;
  if (!parent) return false;
  if (/^(?:keyword_argument|default_parameter|typed_default_parameter)$/.test(parent.type)) {
    return parent.childForFieldName('name')?.id !== node.id;
  }
  if (boundBy(parent).some(field => field?.id === node.id)) return false;
  if (parent.type === 'field_access') return parent.childForFieldName('object')?.id === node.id;
  if (parent.type === 'attribute') return parent.childForFieldName('object')?.id === node.id;
  if (parent.type === 'variable_declarator') return parent.childForFieldName('value')?.id === node.id;
  if (/^(?:for_statement|for_in_clause|for_in_statement)$/.test(parent.type)) {
    return parent.childForFieldName('left')?.id !== node.id;
  }
  if (callOf(parent)?.callee.id === node.id) return false;
  return (
    !/^(?:function_definition|function_declaration|parameters|formal_parameters|lambda_parameters|typed_parameter|required_parameter|optional_parameter|pattern_list|tuple_pattern|array_pattern|import_\w+|aliased_import|dotted_name|type|arrow_function)$/.test(
      parent.type,
    ) ||
    (parent.type === 'arrow_function' && parent.childForFieldName('body')?.id === node.id)
  );
}

export function isTarget(node: Node): boolean {
  const { parent } = node;
  if (!parent) return false;
  // `a, b = b, a` in Go.
  const above = parent.type === 'expression_list' && parent.parent ? parent.parent : parent;
  const inner = above === parent ? node : parent;
  if (/^(?:short_var_declaration|assignment_statement|range_clause)$/.test(above.type))
    return above.childForFieldName('left')?.id === inner.id;
  return (
    /^(?:assignment|augmented_assignment|assignment_expression|augmented_assignment_expression|compound_assignment_expr)$/.test(
      parent.type,
    ) && parent.childForFieldName('left')?.id === node.id
  );
}

/** The parts of a node in which it binds or assigns names. */
export function boundBy(node: Node): (Node | null)[] {
  switch (node.type) {
    case 'short_var_declaration':
    case 'range_clause':
    case 'assignment_statement':
    case 'compound_assignment_expr':
      return [node.childForFieldName('left')];
    case 'let_declaration':
    case 'for_expression':
    case 'parameter':
      return [node.childForFieldName('pattern')];
    case 'init_declarator':
    case 'for_range_loop':
    case 'declaration':
    case 'parameter_declaration':
      return node.childrenForFieldName('declarator');
    case 'var_spec':
    case 'enhanced_for_statement':
    case 'formal_parameter':
      return node.childrenForFieldName('name');
    case 'lambda_expression':
    case 'closure_expression':
      return [node.childForFieldName('parameters')];
    default:
      return [];
  }
}

function fieldOf(node: Node, names: readonly string[]): Node | null {
  for (const name of names) {
    const child = node.childForFieldName(name);
    if (child) return child;
  }
  return null;
}

/** Whether an expression needs parentheses to be an operand of any operator. */
function isAtom(node: Node): boolean {
  return /^(?:identifier|integer|float|number|string|call|call_expression|subscript|subscript_expression|attribute|member_expression|parenthesized_expression|list|tuple|dictionary|array|true|false|none|null|boolean_literal|\w+_literal|method_invocation|array_access|index_expression|field_expression|selector_expression)$/.test(
    node.type,
  );
}

export function operand(node: Node): string {
  return isAtom(node) ? node.text : `(${node.text})`;
}
