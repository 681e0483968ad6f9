import type { Node } from '@vscode/tree-sitter-wasm';
import { namedChildren } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';

/**
 * A JavaScript or TypeScript program that calls `__hefix('FILE:LINE')`, if there is such a global, before each
 * statement of its functions and in each pass of its loops, to record lines and to stop code that never ends. Line
 * numbers do not change. Null if the program does not parse.
 */
export function instrumented(parser: SyntaxParser, path: string, code: string): string | null {
  return parser.read(code, root => {
    if (root.hasError) return null;
    const insertions: Insertion[] = [];
    visit(root, false, path, insertions);
    // Of those at one place, the last comes first.
    const inOrder = insertions.toSorted((a, b) => b.offset - a.offset).reverse();
    let last = 0;
    const pieces = inOrder.flatMap(({ offset, text }) => {
      const before = code.slice(last, offset);
      last = offset;
      return [before, text];
    });
    return pieces.join('') + code.slice(last);
  });
}

interface Insertion {
  readonly offset: number;
  readonly text: string;
}

function visit(node: Node, isInFunction: boolean, path: string, insertions: Insertion[]): void {
  // Type checkers do not know the global.
  const owner = /\.[cm]?tsx?$/.test(path) ? '(globalThis as any)' : 'globalThis';
  // Older compilers of projects do not know `?.()`.
  const call = ({ startPosition }: Node): string =>
    `(${owner}.__hefix&&${owner}.__hefix(${JSON.stringify(`${path}:${startPosition.row + 1}`)}))`;
  const body = node.childForFieldName('body');
  const isFunction = functions.test(node.type);
  const inside = isInFunction || isFunction;
  if (node.type === 'statement_block' && inside) {
    for (const statement of namedChildren(node))
      if (!declarations.test(statement.type) && !isDirective(statement) && !isAfterLet(statement))
        // The first semicolon ends a statement that has none.
        insertions.push({ offset: statement.startIndex, text: `;${call(statement)};` });
  }
  const isBlock = body?.type === 'statement_block';
  if (isFunction && body && !isBlock) around(insertions, body, `(${call(body)},`, ')');
  if (loops.test(node.type) && body) {
    if (isBlock) insertions.push({ offset: body.startIndex + 1, text: `${call(body)};` });
    else around(insertions, body, `{${call(body)};`, '}');
  }
  for (const child of namedChildren(node)) visit(child, inside, path, insertions);
}

const functions =
  /^(?:function_declaration|generator_function_declaration|function_expression|generator_function|arrow_function|method_definition)$/;
const loops = /^(?:for|while|for_in|do)_statement$/;
/** Nothing runs where they stand, or nothing may stand before them. */
const declarations =
  /^(?:comment|(?:generator_)?function_declaration|(?:abstract_)?class_declaration|function_signature|interface_declaration|type_alias_declaration|enum_declaration|ambient_declaration)$/;

/** The expression may already have parentheses; text that is inserted before it stays outside of them. */
function around(
  insertions: Insertion[],
  { startIndex, endIndex }: Node,
  before: string,
  after: string,
): void {
  insertions.push({ offset: startIndex, text: before }, { offset: endIndex, text: after });
}

/** The grammar takes `let` before a comment for a statement of its own. */
function isAfterLet(node: Node): boolean {
  const before = node.previousNamedSibling;
  return before?.type === 'expression_statement' && before.namedChild(0)?.text === 'let';
}

function isDirective(node: Node): boolean {
  return node.type === 'expression_statement' && node.namedChild(0)?.type === 'string';
}
