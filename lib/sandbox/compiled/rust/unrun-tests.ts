import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants } from '../../../syntax/nodes.ts';
import { testsInvalid } from '../../errors.ts';

/**
 * Attributes of tests, including those that macros generate, and code that checks whether it is compiled for
 * tests.
 */
const leftOver =
  /#\s*!?\s*\[\s*(?:\$|[^\]]*\b(?:test|ignore|should_panic)\b)|\bcfg\s*!\s*[([{][^)\]}]*\btest\b/;

/** Opens a documentation block that rustdoc runs. */
const runFence = /^\s*(?:```+|~~~+)[\s,]*(?:(?:rust|should_panic|edition\d+)[\s,]*)*$/;
const anyFence = /^\s*(?:```|~~~)/;

/**
 * Throws TESTS_INVALID, naming the first one, if there are tests that would not run. In the tests at `root`,
 * the attributes of tests that do run have been blanked.
 */
export function refuseUnrunTests(root: Node, text: string): void {
  const nodes = descendants(root);
  const code = root.hasError
    ? text
    : nodes.filter(({ type }) => /comment$|_literal$/.test(type)).reduce(blank, text);
  const at = leftOver.exec(code)?.index;
  const line = at === undefined ? documentedTest(nodes) : code.slice(0, at).split('\n').length;
  if (line === null) return;
  const source = text.split('\n')[line - 1]?.trim() ?? '';
  const hint = 'each test has to be a function with #[test], in the file or in a module';
  throw testsInvalid(`have a test that would not run on line ${line} (${source}): ${hint}`);
}

function blank(text: string, { type, startIndex: start, endIndex: end }: Node): string {
  if (/^(?:integer|float|boolean)/.test(type)) return text;
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end);
}

/** The 1-based line of the first documentation block that rustdoc would run. */
function documentedTest(nodes: readonly Node[]): number | null {
  let isInside = false;
  let previous = -1;
  for (const node of nodes) {
    const documentation = node.childForFieldName('doc');
    if (!documentation) continue;
    const first = documentation.startPosition.row;
    if (first !== previous + 1) isInside = false;
    const lines = documentation.text.trimEnd().split('\n');
    for (const [index, text] of lines.entries()) {
      const line = text.replace(/^\s*\*(?!\*)/, '');
      if (!isInside && runFence.test(line)) return first + index + 1;
      if (anyFence.test(line)) isInside = !isInside;
    }
    previous = first + lines.length - 1;
  }
  return null;
}
