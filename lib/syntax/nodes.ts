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
  const found: Node[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    if (!enter(next)) continue;
    // Not with `...`, which a list of 100,000 numbers would fill the stack with.
    for (const child of namedChildren(next).reverse()) waiting.push(child);
  }
  return found;
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
