import { RECORDER } from '../host/recorder-name.ts';
import { assertionSites, isShort, startOfShort } from './assertion-sites.ts';
import type { Insertion } from './insertions.ts';
import type { AnyNode } from './syntax-tree.ts';

/**
 * Has each statement with an assertion tell the recorder whether it held, and go on either way. Returns the statements,
 * by the numbers with which the recorder is told.
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
