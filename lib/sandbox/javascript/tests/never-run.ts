import { type AnyNode, isNode, nameOf, nodesIn } from './syntax-tree.ts';

/**
 * Names of unused top-level functions that contain assertions, and of tests that are only exported: other
 * test runners would find and call them, but Node does not.
 */
export function neverRun(tree: AnyNode, isAssertion: (node: AnyNode) => boolean): string[] {
  const uses = new Map<string, number>();
  for (const { type, name } of nodesIn(tree))
    if (type === 'Identifier') uses.set(String(name), (uses.get(String(name)) ?? 0) + 1);
  const asserts = (work: AnyNode): boolean =>
    nodesIn(work).some(node => node.type === 'ThrowStatement' || isAssertion(node));
  return (tree.body as AnyNode[]).flatMap(statement => {
    const declared = functionsIn(statement).filter(([name, work]) => uses.get(name) === 1 && asserts(work));
    return [...declared, ...exportedBy(statement).filter(([, work]) => asserts(work))].map(([name]) => name);
  });
}

type Named = readonly [name: string, work: AnyNode];

function functionsIn(statement: AnyNode): Named[] {
  if (/^(Function|Class)Declaration$/.test(statement.type)) return [[nameOf(statement.id), statement]];
  if (statement.type !== 'VariableDeclaration') return [];
  return (statement.declarations as AnyNode[]).flatMap(({ id, init }) =>
    isNode(init) && isFunction(init) ? [[nameOf(id), init] as const] : [],
  );
}

/** `exports.name = function` and `module.exports = { name: function }` */
function exportedBy(statement: AnyNode): Named[] {
  const assignment = statement.expression as AnyNode | undefined;
  if (statement.type !== 'ExpressionStatement' || assignment?.type !== 'AssignmentExpression') return [];
  const left = assignment.left as AnyNode;
  const right = assignment.right as AnyNode;
  if (!/^(module\.)?exports\b/.test(dotted(left))) return [];
  if (isFunction(right)) return [[dotted(left), right]];
  if (right.type !== 'ObjectExpression') return [];
  return (right.properties as AnyNode[]).flatMap(({ key, value }) =>
    isNode(value) && isFunction(value) ? [[nameOf(key), value] as const] : [],
  );
}

function isFunction(node: { readonly type: string }): boolean {
  return /^(Arrow)?FunctionExpression$|^ClassExpression$/.test(node.type);
}

function dotted(node: AnyNode): string {
  if (node.type !== 'MemberExpression') return nameOf(node);
  return `${dotted(node.object as AnyNode)}.${nameOf(node.property)}`;
}
