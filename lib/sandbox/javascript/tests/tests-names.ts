import { type AnyNode, childrenOf, isNode } from './syntax-tree.ts';

/** Names that a program uses and does not declare in any scope. */
export function freeNames(tree: AnyNode): string[] {
  const used = new Set<string>();
  const declared = new Set<string>(['arguments']);
  const walk = (node: AnyNode): void => {
    if (node.type === 'Identifier') used.add(String(node.name));
    for (const pattern of declaredBy(node)) for (const name of namesIn(pattern)) declared.add(name);
    for (const next of childrenOf(node)) walk(next);
  };
  walk(tree);
  return [...used].filter(name => !declared.has(name));
}

/** Names that a program assigns after their declaration, in any scope. */
export function assignedNames(tree: AnyNode): Set<string> {
  const assigned = new Set<string>();
  const walk = (node: AnyNode): void => {
    const target =
      node.type === 'AssignmentExpression' || /^For(In|Of)Statement$/.test(node.type)
        ? node.left
        : node.type === 'UpdateExpression'
          ? node.argument
          : null;
    if (isNode(target)) for (const name of namesIn(target as AnyNode)) assigned.add(name);
    for (const next of childrenOf(node)) walk(next);
  };
  walk(tree);
  return assigned;
}

/** Names that a program treats as classes of others: it constructs, extends or checks for them. */
export function classNames(tree: AnyNode): string[] {
  const found = new Set<string>();
  const own = new Set<string>();
  const walk = (node: AnyNode): void => {
    const made = node.type === 'VariableDeclarator' && isNode(node.init) ? node.init.type : node.type;
    if (/^(Class|Function|ArrowFunction)(Declaration|Expression)$/.test(made) && isNode(node.id))
      for (const name of namesIn(node.id as AnyNode)) own.add(name);
    const maker =
      node.type === 'NewExpression'
        ? node.callee
        : /^Class/.test(node.type)
          ? node.superClass
          : node.type === 'BinaryExpression' && node.operator === 'instanceof'
            ? node.right
            : null;
    if (isNode(maker)) {
      const last = (maker.type === 'MemberExpression' ? (maker as AnyNode).property : maker) as AnyNode;
      if (last.type === 'Identifier') found.add(String(last.name));
    }
    for (const next of childrenOf(node)) walk(next);
  };
  walk(tree);
  return [...found].filter(name => !own.has(name));
}

/** Names of all properties that a program reads or destructures. */
export function memberNames(tree: AnyNode): string[] {
  const found = new Set<string>();
  const walk = (node: AnyNode): void => {
    const key = node.type === 'MemberExpression' ? node.property : node.type === 'Property' ? node.key : null;
    if (isNode(key)) {
      if (key.type === 'Identifier') found.add(String((key as AnyNode).name));
      if (key.type === 'Literal') found.add(String((key as AnyNode).value));
    }
    for (const next of childrenOf(node)) walk(next);
  };
  walk(tree);
  return [...found];
}

/** Whether a program requires a file: `require('./anything')`. */
export function requiresCandidate(node: AnyNode): boolean {
  if (node.type === 'CallExpression' && isNode(node.callee)) {
    const [path] = node.arguments as AnyNode[];
    const isRequire = (node.callee as AnyNode).name === 'require';
    if (isRequire && path?.type === 'Literal' && String(path.value).startsWith('.')) return true;
  }
  return childrenOf(node).some(requiresCandidate);
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
  return patterns.filter(isNode) as AnyNode[];
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
      return (pattern.elements as unknown[]).filter(isNode).flatMap(node => namesIn(node as AnyNode));
    case 'RestElement':
      return namesIn(pattern.argument as AnyNode);
    case 'AssignmentPattern':
      return namesIn(pattern.left as AnyNode);
    default:
      return [];
  }
}
