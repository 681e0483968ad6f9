import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import type { JavaSignature } from './signature.ts';

/**
 * The tests, with their comparisons marked for the judge, which then knows the one that fails: Java's tests often
 * collect comparisons in a list of booleans and throw an AssertionError for all of them. Marks change neither values
 * nor lines: `f(2) == 4` becomes `hefix.Judge.check(7, "…", f(2) == hefix.Judge.expected(4))`.
 */
export function markedChecks(
  parser: SyntaxParser,
  tests: string,
  { name }: Pick<JavaSignature, 'name'>,
): string {
  return parser.read(tests, root => {
    const nodes = descendants(root);
    const checks = nodes.filter(isChecked).filter(node => callsOf(node, name).length > 0);
    const inserts = checks.flatMap(node => marksOf(node, name));
    const reached = nodes.filter(isAsserted).flatMap(node => around(node, 'hefix.Judge.reached(', 0));
    return [...inserts, ...reached]
      .sort((a, b) => b.offset - a.offset || b.order - a.order)
      .reduce((text, { offset, inserted }) => text.slice(0, offset) + inserted + text.slice(offset), tests);
  });
}

interface Insert {
  readonly offset: number;
  readonly inserted: string;
  /** Of inserts at the same place, the first comes first in the text. */
  readonly order: number;
}

/** Items of a list of booleans, and conditions of assert. */
function isChecked(node: Node): boolean {
  const { parent } = node;
  if (!node.isNamed || node.type === 'line_comment' || node.type === 'block_comment') return false;
  if (parent?.type === 'assert_statement') return isAsserted(node);
  if (parent?.type !== 'argument_list') return false;
  const method = parent.parent;
  const called = `${method?.childForFieldName('object')?.text}.${method?.childForFieldName('name')?.text}`;
  return (
    /^(?:Arrays\.asList|List\.of|Stream\.of)$/.test(called) &&
    !descendants(node).some(({ type }) => type === 'lambda_expression')
  );
}

/** The condition of assert. */
function isAsserted(node: Node): boolean {
  const { parent } = node;
  return parent?.type === 'assert_statement' && namedChildren(parent)[0]?.id === node.id;
}

function around(node: Node, before: string, order: number): Insert[] {
  return [
    { offset: node.startIndex, inserted: before, order },
    { offset: node.endIndex, inserted: ')', order: -order },
  ];
}

function marksOf(check: Node, name: string): Insert[] {
  const line = check.startPosition.row + 1;
  const { wanted, expected } = comparisonOf(check, name);
  return [
    ...around(check, `hefix.Judge.check(${line}, ${quoted(wanted)}, `, 1),
    ...(expected ? around(expected, 'hefix.Judge.expected(', 2) : []),
  ];
}

/** What a check says of a call: the value that it is compared with, or the check's own text. */
function comparisonOf(
  check: Node,
  name: string,
): { readonly wanted: string; readonly expected: Node | null } {
  const node = inner(check);
  if (isCall(node, name)) return { wanted: 'true', expected: null };
  if (node.type === 'unary_expression' && node.text.startsWith('!')) {
    const operand = node.childForFieldName('operand');
    if (operand && isCall(inner(operand), name)) return { wanted: 'false', expected: null };
  }
  const [left, right] = sidesOf(node);
  // A value on the left is computed before the call.
  const isPlain = left && right && isCall(inner(left), name) && callsOf(right, name).length === 0;
  return { wanted: check.text.replace(/\s+/g, ' '), expected: isPlain ? right : null };
}

/** The sides of `a == b`, `a.equals(b)` and `Objects.equals(a, b)`. */
function sidesOf(node: Node): (Node | null)[] {
  if (node.type === 'binary_expression' && node.childForFieldName('operator')?.text === '==')
    return [node.childForFieldName('left'), node.childForFieldName('right')];
  if (node.type !== 'method_invocation' || node.childForFieldName('name')?.text !== 'equals') return [];
  const list = node.childForFieldName('arguments');
  const callArguments = list ? namedChildren(list) : [];
  const object = node.childForFieldName('object');
  if (callArguments.length === 1) return [object, callArguments[0] ?? null];
  return callArguments.length === 2 && /^(?:Objects|Arrays)$/.test(object?.text ?? '') ? callArguments : [];
}

/** Without parentheses and casts. */
function inner(node: Node): Node {
  const next =
    node.type === 'parenthesized_expression'
      ? node.namedChild(0)
      : node.type === 'cast_expression'
        ? node.childForFieldName('value')
        : null;
  return next ? inner(next) : node;
}

function isCall(node: Node, name: string): boolean {
  return node.type === 'method_invocation' && node.childForFieldName('name')?.text === name;
}

function callsOf(node: Node, name: string): Node[] {
  return descendants(node).filter(each => isCall(each, name));
}

/** JSON's escapes are Java's too. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
