import { type AnyNode, childrenOf, isNode, nodesIn } from './syntax-tree.ts';

/** Replacements that tests make in their own realm, by location. */
export interface TestsPatches {
  readonly watchesOutput: boolean;
  readonly usesEnvironment: boolean;
  /** Names of the environment that the tests read. */
  readonly environment: readonly string[];
  /** The first one that candidates would not see: `Date`, `globalThis.fetch`, `Array.prototype.last`. */
  readonly unseen: string | undefined;
}

export function patchesIn(tree: AnyNode, globals: ReadonlySet<string>): TestsPatches {
  let watchesOutput = false;
  let usesEnvironment = false;
  const environment = new Set<string>();
  let unseen: string | undefined;
  const replaced = (target: string): void => {
    const [first = ''] = target.split('.');
    if (/^(globalThis\.)?(console|process\.std(out|err))(\.|$)/.test(target)) watchesOutput = true;
    else if (/^(module|exports|process|Math\.random$|Date\.now$)/.test(target)) return;
    else if (globals.has(first)) unseen ??= target;
  };
  for (const node of nodesIn(tree)) {
    if (node.type === 'MemberExpression' && dotted(node) === 'process.env') usesEnvironment = true;
    for (const name of environmentReads(node)) environment.add(name);
    if (node.type === 'MemberExpression' && /(^|\.)mock\.timers$/.test(dotted(node))) unseen ??= 'timers';
    if (node.type === 'AssignmentExpression') replaced(dotted(node.left as AnyNode));
    if (node.type === 'CallExpression') {
      const [target, key] = node.arguments as (AnyNode | undefined)[];
      const callee = dotted(node.callee as AnyNode);
      const isMock = /(^|\.)mock\.(method|getter|setter)$/.test(callee);
      if (target && (isMock || /^(Object|Reflect)\.(assign|defineProperty)$/.test(callee)))
        replaced(key?.type === 'Literal' ? `${dotted(target)}.${key.value}` : dotted(target));
    }
  }
  return { watchesOutput, usesEnvironment, environment: [...environment], unseen };
}

/** Names that a node reads from `process.env`. */
function environmentReads(node: AnyNode): string[] {
  const isEnvironment = (value: unknown): boolean => isNode(value) && dotted(value) === 'process.env';
  const target = node.type === 'AssignmentExpression' && node.operator === '=' ? node.left : null;
  const reads = childrenOf(node).filter(
    each => each !== target && each.type === 'MemberExpression' && isEnvironment(each.object),
  );
  const names = reads.map(each => dotted(each).split('.')[2] ?? '');
  if (node.type === 'BinaryExpression' && node.operator === 'in' && isEnvironment(node.right))
    names.push(String((node.left as AnyNode).value));
  if (node.type === 'VariableDeclarator' && isEnvironment(node.init)) {
    const { type, properties } = node.id as AnyNode;
    if (type === 'ObjectPattern')
      for (const { key } of properties as AnyNode[]) if (isNode(key)) names.push(String(key.name));
  }
  return names;
}

function dotted(node: AnyNode): string {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type !== 'MemberExpression') return '?';
  const property = node.property as AnyNode;
  return `${dotted(node.object as AnyNode)}.${node.computed ? (property.value ?? '*') : property.name}`;
}
