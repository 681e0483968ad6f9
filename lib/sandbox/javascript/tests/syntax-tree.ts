import type { Node } from 'acorn';

/** An ESTree node whose fields are read by name. */
export type AnyNode = Node & Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Children in source order, without keys of properties and members that are not expressions. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const named = node.type === 'MemberExpression' ? 'property' : 'key';
  const children: AnyNode[] = [];
  for (const field of Object.keys(node)) {
    const value = node[field];
    if (typeof value !== 'object' || value === null) continue;
    if (field === named && node.computed === false && node.shorthand !== true) continue;
    if (Array.isArray(value)) for (const each of value.filter(isNode)) children.push(each);
    else if (isNode(value)) children.push(value);
  }
  return children;
}

/** A node and all below it, in source order. */
export function nodesIn(tree: AnyNode): readonly AnyNode[] {
  const nodes: AnyNode[] = [];
  const add = (node: AnyNode): void => {
    nodes.push(node);
    for (const next of childrenOf(node)) add(next);
  };
  add(tree);
  return nodes;
}

/** The name of an identifier, or the value of a literal that stands for one. */
export function nameOf(node: unknown): string {
  const { name, value } = node as AnyNode;
  return String(name ?? value);
}

/** The name of a member or property, if it is written down. */
export function keyOf({ computed, property, key }: AnyNode): string | undefined {
  const { type, name, value } = (property ?? key) as AnyNode;
  if (computed !== true) return String(name ?? value);
  return type === 'Literal' ? String(value) : undefined;
}

/** `t.test` for the call `t.test(…)`, with `?` for what has no name and for other nodes. */
export function calleeOf(node: AnyNode): string {
  const dotted = (callee: AnyNode): string => {
    if (callee.type === 'Identifier') return String(callee.name);
    if (callee.type !== 'MemberExpression' || callee.computed) return '?';
    return `${dotted(callee.object as AnyNode)}.${dotted(callee.property as AnyNode)}`;
  };
  return node.type === 'CallExpression' ? dotted(node.callee as AnyNode) : '?';
}

/** What a node requires: the literal in `require('node:test')`. */
export function requiredBy(node: AnyNode): unknown {
  const [name] = calleeOf(node) === 'require' ? (node.arguments as AnyNode[]) : [];
  return name?.value;
}

/** A piece of text to insert into a program. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
  /** For a closing insertion: the start of what it closes. */
  readonly closes?: number;
}

/** At the same position, closing insertions come before opening ones, inner ones first. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  const ordered = insertions.map((insertion, order) => ({ ...insertion, order }));
  ordered.sort((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    if ((a.closes === undefined) !== (b.closes === undefined)) return a.closes === undefined ? 1 : -1;
    if (a.closes === undefined || b.closes === undefined) return a.order - b.order;
    return b.closes - a.closes || b.order - a.order;
  });
  let result = '';
  let from = 0;
  for (const { at, text: piece } of ordered) {
    result += text.slice(from, at) + piece;
    from = at;
  }
  return result + text.slice(from);
}
