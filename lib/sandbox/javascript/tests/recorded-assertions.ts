import { RECORDER } from '../host/recorder-name.ts';
import { type AnyNode, childrenOf, type Insertion, isNode } from './syntax-tree.ts';

/**
 * Has each statement with an assertion tell the recorder whether it held, and go on either way. Returns the statements,
 * by the numbers that the recorder gets.
 */
export function countAssertions(
  tree: AnyNode,
  tests: string,
  isAssertion: (node: AnyNode) => boolean,
  insertions: Insertion[],
): readonly AnyNode[] {
  const counted: AnyNode[] = [];
  for (const { work, statement } of assertionSites(tree, isAssertion)) {
    const node = statement ?? (work && isShort(work) ? work : undefined);
    if (!node || counted.includes(node)) continue;
    const held = `${RECORDER}.held(${counted.length}, (`;
    const missed = ` } catch { ${RECORDER}.missed(${counted.length}) }`;
    counted.push(node);
    if (statement) {
      const { start, end } = (statement.expression ?? statement.argument) as AnyNode;
      insertions.push(
        { at: statement.start, text: 'try { ' },
        { at: start, text: held },
        { at: statement.end, text: missed, closes: statement.start },
        { at: end, text: '))', closes: start },
      );
    } else {
      const start = startOfShort(node, tests);
      insertions.push(
        { at: start, text: ` { try { return ${held}` },
        { at: node.end, text: `))${missed} }`, closes: start },
      );
    }
  }
  return counted;
}

/** Where an assertion stands. */
interface AssertionSite {
  /** The innermost function around it. */
  readonly work: AnyNode | undefined;
  /** The statement around it, in the same function: an expression or `return`. */
  readonly statement: AnyNode | undefined;
}

/** One for each assertion, in their order. */
function assertionSites(tree: AnyNode, isAssertion: (node: AnyNode) => boolean): readonly AssertionSite[] {
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
function isShort(work: AnyNode): boolean {
  return isNode(work.body) && work.body.type !== 'BlockStatement';
}

/** Where the value of `x => value` starts, brackets around it included. */
function startOfShort(work: AnyNode, tests: string): number {
  return tests.lastIndexOf('=>', (work.body as AnyNode).start) + 2;
}
