import { type AnyNode, childrenOf, isNode } from './syntax-tree.ts';

/** Where an assertion stands. */
export interface AssertionSite {
  /** The innermost function around it. */
  readonly work: AnyNode | undefined;
  /** The statement around it, in the same function: an expression or `return`. */
  readonly statement: AnyNode | undefined;
}

/** One for each assertion, in their order. */
export function assertionSites(
  tree: AnyNode,
  isAssertion: (node: AnyNode) => boolean,
): readonly AssertionSite[] {
  const sites: AssertionSite[] = [];
  const walk = (node: AnyNode, work: AnyNode | undefined, statement: AnyNode | undefined): void => {
    if (isAssertion(node)) sites.push({ work, statement });
    const isWork = /Function|^StaticBlock$/.test(node.type);
    const isStatement = node.type === 'ExpressionStatement' || node.type === 'ReturnStatement';
    for (const next of childrenOf(node))
      walk(next, isWork ? node : work, isWork ? undefined : isStatement ? node : statement);
  };
  walk(tree, undefined, undefined);
  return sites;
}

/** `x => value` */
export function isShort(work: AnyNode): boolean {
  return isNode(work.body) && work.body.type !== 'BlockStatement';
}

/** Where the value of `x => value` starts, brackets around it included. */
export function startOfShort(work: AnyNode, tests: string): number {
  return tests.lastIndexOf('=>', (work.body as AnyNode).start) + 2;
}
