import type { Node } from 'acorn';

/** An ESTree node whose fields are read by name. */
export type AnyNode = Node & Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Children in source order, without keys of properties and members that are not expressions. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const named = node.type === 'MemberExpression' ? 'property' : 'key';
  return Object.entries(node).flatMap(([field, value]) => {
    if (field === named && node.computed === false && node.shorthand !== true) return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}
