import { RECORDER } from '../host/recorder-name.ts';
import { assertionSites, isShort, startOfShort } from './assertion-sites.ts';
import type { Insertion } from './insertions.ts';
import { type AnyNode, childrenOf } from './syntax-tree.ts';

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
  const walk = (node: AnyNode): void => {
    if (node.type === 'ThrowStatement') {
      const { start, end } = node.argument as AnyNode;
      insertions.push({ at: start, text: ` ${RECORDER}.thrown((` }, { at: end, text: '))', closes: start });
    }
    for (const next of childrenOf(node)) walk(next);
  };
  walk(tree);
}

function endOfDirectives(body: AnyNode): number {
  let end = body.start + 1;
  for (const statement of body.body as AnyNode[]) {
    if (statement.directive === undefined) break;
    end = statement.end;
  }
  return end;
}
