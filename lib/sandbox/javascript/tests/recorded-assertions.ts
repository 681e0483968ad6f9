import { RECORDER } from '../host/recorder-name.ts';
import { type AnyNode, childrenOf, type Insertion, isNode, nodesIn } from './syntax-tree.ts';

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

/**
 * Has the tests tell the recorder what ends an assertion before it completes: an exception in its statement, or one
 * of the language's own in the function around it. Exceptions that the tests throw themselves are told apart.
 */
export function noteFailures(
  tree: AnyNode,
  tests: string,
  isAssertion: (node: AnyNode) => boolean,
  insertions: Insertion[],
): void {
  const wrapped = new Set<AnyNode>();
  const wrap = (node: AnyNode, from: number, to: number, before: string, after: string): void => {
    if (wrapped.has(node)) return;
    wrapped.add(node);
    insertions.push({ at: from, text: before }, { at: to, text: after, closes: from });
  };
  const report = (method: string): string => `} catch ($error) { throw ${RECORDER}.${method}($error) }`;

  for (const { work, statement } of assertionSites(tree, isAssertion)) {
    if (work && !isShort(work)) {
      const body = work.body as AnyNode;
      const start = endOfDirectives(body);
      wrap(body, start, body.end - 1, ' try {', report('aborted'));
    }
    if (statement) wrap(statement, statement.start, statement.end, 'try { ', report('failed'));
    else if (work && isShort(work))
      wrap(work, startOfShort(work, tests), work.end, ' { try { return (', `) ${report('failed')} }`);
  }
  for (const { type, argument } of nodesIn(tree)) {
    if (type !== 'ThrowStatement') continue;
    const { start, end } = argument as AnyNode;
    insertions.push({ at: start, text: ` ${RECORDER}.thrown((` }, { at: end, text: '))', closes: start });
  }
}

function endOfDirectives(body: AnyNode): number {
  let end = body.start + 1;
  for (const statement of body.body as AnyNode[]) {
    if (statement.directive === undefined) break;
    end = statement.end;
  }
  return end;
}
