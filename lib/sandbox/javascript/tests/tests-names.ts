import { type AnyNode, calleeOf, isNode, nameOf, nodesIn, requiredBy } from './syntax-tree.ts';

/** Names that a program uses and does not declare in any scope. */
export function freeNames(tree: AnyNode): string[] {
  const nodes = nodesIn(tree);
  const used = new Set(nodes.filter(({ type }) => type === 'Identifier').map(({ name }) => String(name)));
  const declared = new Set(['arguments', ...nodes.flatMap(declaredBy).flatMap(namesIn)]);
  return [...used].filter(name => !declared.has(name));
}

/** Names that a program assigns after their declaration, in any scope. */
export function assignedNames(tree: AnyNode): Set<string> {
  const targets = nodesIn(tree).map(node =>
    node.type === 'AssignmentExpression' || /^For(In|Of)Statement$/.test(node.type)
      ? node.left
      : node.type === 'UpdateExpression'
        ? node.argument
        : null,
  );
  return new Set(targets.filter(isNode).flatMap(namesIn));
}

/**
 * Names under which tests may replace something for the candidate: what they assign or delete, and what they name in a
 * call, as in `Object.defineProperty(Date, 'now', …)`; `mock` if they use mocks.
 */
export function replacedNames(tree: AnyNode): string[] {
  const names = nodesIn(tree).flatMap(node => {
    const { type, left, argument, operator } = node;
    const target = type === 'AssignmentExpression' ? left : operator === 'delete' ? argument : null;
    if (isNode(target))
      return target.type === 'MemberExpression' ? [nameOf(target.property)] : namesIn(target);
    if (type === 'MemberExpression') return nameOf(node.property) === 'mock' ? ['mock'] : [];
    if (type === 'Identifier') return node.name === 'mock' ? ['mock'] : [];
    if (type !== 'CallExpression') return [];
    const given = node.arguments as AnyNode[];
    const keys = /^(Object|Reflect)\.(assign|define\w+)$/.test(calleeOf(node))
      ? given.flatMap(({ properties }) => ((properties ?? []) as AnyNode[]).map(({ key }) => key))
      : [];
    return [...given.filter(arg => arg.type === 'Literal'), ...keys.filter(isNode)].map(nameOf);
  });
  return [...new Set(names)];
}

/** Names of all properties that a program reads or destructures. */
export function memberNames(tree: AnyNode): string[] {
  const keys = nodesIn(tree).map(node =>
    node.type === 'MemberExpression' ? node.property : node.type === 'Property' ? node.key : null,
  );
  const named = keys.filter(isNode).filter(({ type }) => type === 'Identifier' || type === 'Literal');
  return [...new Set(named.map(({ type, name, value }) => String(type === 'Literal' ? value : name)))];
}

/** Whether a program requires a file: `require('./anything')`. */
export function requiresCandidate(tree: AnyNode): boolean {
  return nodesIn(tree).some(node => String(requiredBy(node)).startsWith('.'));
}

/** The patterns in which a node declares names. */
function declaredBy(node: AnyNode): AnyNode[] {
  const patterns =
    node.type === 'VariableDeclarator'
      ? [node.id]
      : node.type === 'CatchClause'
        ? [node.param]
        : /^Class/.test(node.type)
          ? [node.id]
          : /Function/.test(node.type)
            ? [node.id, ...(node.params as unknown[])]
            : /^Import.*Specifier$/.test(node.type)
              ? [node.local]
              : [];
  return patterns.filter(isNode);
}

/** The names that a pattern binds: `{ a, b: [c] = d }` binds a and c. */
export function namesIn(pattern: AnyNode): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern.name)];
    case 'ObjectPattern':
      return (pattern.properties as AnyNode[]).flatMap(namesIn);
    case 'Property':
      return namesIn(pattern.value as AnyNode);
    case 'ArrayPattern':
      return (pattern.elements as unknown[]).filter(isNode).flatMap(namesIn);
    case 'RestElement':
      return namesIn(pattern.argument as AnyNode);
    case 'AssignmentPattern':
      return namesIn(pattern.left as AnyNode);
    default:
      return [];
  }
}
