import type { Node } from '@vscode/tree-sitter-wasm';
import { testsInvalid } from '../../../sandbox/errors.ts';
import { descendants, fieldText, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';

/** Tests as an ordinary program, without the attributes for rustc's own runner. */
export interface RustTests {
  /** Line numbers are kept. */
  readonly text: string;
  /** For each test, the function that runs it and its expected panic: `(tests::test_add as fn(), None)`. */
  readonly runners: readonly string[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Throws TESTS_INVALID if there are tests that `runners` does not run. */
export function readTests(parser: SyntaxParser, tests: string): RustTests {
  const edits: Edit[] = [];
  const runners: string[] = [];
  parser.read(tests, root => collect(root, [], edits, runners));
  const text = edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), tests);
  parser.read(text, root => refuseUnrunTests(root, text));
  return { text: withCountedAssertions(parser, text), runners };
}

/**
 * The judge knows which assertions are reached: those in a loop over an empty result check nothing. It also counts them,
 * where one that fails does not panic. Panics are not caught, since `return` and `?` may stand in an assertion.
 */
function withCountedAssertions(parser: SyntaxParser, text: string): string {
  const start = parser.read(
    text,
    root => namedChildren(root).find(node => !isInner(node))?.startIndex ?? text.length,
  );
  const macros = Object.entries(counted).map(
    ([name, rule]) => `#[allow(unused_macros)] macro_rules! ${name} { ${rule} } `,
  );
  return text.slice(0, start) + macros.join('') + text.slice(start);
}

/** The library's own macro says why one fails: its message contains the source, or both values. */
const counted = {
  assert:
    '($holds:expr $(, $($text:tt)*)?) => {{ if ::hefix::judge::reached() { ::hefix::judge::goes_on($holds); } else { ::std::assert!($holds $(, $($text)*)?) } }};',
  assert_eq: comparison('==', 'assert_eq'),
  assert_ne: comparison('!=', 'assert_ne'),
};

function comparison(operator: string, name: string): string {
  return `($left:expr, $right:expr $(, $($text:tt)*)?) => { match (&$left, &$right) { (left, right) => if !::hefix::judge::goes_on(*left ${operator} *right) { ::std::${name}!(*left, *right $(, $($text)*)?) } } };`;
}

/** What must stay at the beginning of a file. */
function isInner({ type, text }: Node): boolean {
  return type === 'inner_attribute_item' || (/comment$/.test(type) && /^(?:\/\/!|\/\*!)/.test(text));
}

function collect(parent: Node, path: readonly string[], edits: Edit[], runners: string[]): void {
  let attributes: Node[] = [];
  for (const node of namedChildren(parent)) {
    if (node.type === 'attribute_item') {
      attributes.push(node);
      continue;
    }
    if (/comment$/.test(node.type)) continue;
    const nodeAttributes = attributes;
    attributes = [];
    edits.push(
      ...nodeAttributes.filter(({ text }) => /^#\[\s*cfg\(\s*test\s*\)\s*\]$/.test(text)).map(blank),
    );
    const name = fieldText(node, 'name');
    const body = node.childForFieldName('body');
    if (node.type === 'mod_item' && body) {
      collect(body, [...path, name], edits, runners);
      edits.push(...published(node));
    } else if (node.type === 'function_item' && nodeAttributes.some(({ text }) => isTest.test(text))) {
      runners.push(runner([...path, name].join('::'), node, nodeAttributes));
      edits.push(
        ...nodeAttributes.filter(({ text }) => isTest.test(text) || shouldPanic.test(text)).map(blank),
      );
      edits.push(...published(node));
    }
  }
}

/** Private functions of a module can be called only from inside it. */
function published(node: Node): Edit[] {
  if (namedChildren(node).some(({ type }) => type === 'visibility_modifier')) return [];
  return [{ start: node.startIndex, end: node.startIndex, text: 'pub ' }];
}

function blank({ startIndex: start, endIndex: end, text }: Node): Edit {
  return { start, end, text: text.replace(/[^\n]/g, ' ') };
}

const isTest = /^#\[\s*test\s*\]$/;
/** With the literal that the panic's message must contain. */
const shouldPanic =
  /^#\[\s*should_panic\s*(?:(?:\(\s*expected\s*=\s*(r?#*".*"#*)\s*(?:,\s*)?\)|=\s*(r?#*".*"#*))\s*)?\]$/s;

function runner(path: string, node: Node, attributes: readonly Node[]): string {
  const match = attributes.map(({ text }) => shouldPanic.exec(text)).find(match => match !== null);
  const expected = match ? `Some(${match[1] ?? match[2] ?? '""'})` : 'None';
  const run = node.childForFieldName('return_type') ? `(|| { ${path}().unwrap(); })` : path;
  return `(${run} as fn(), ::std::option::Option::${expected})`;
}

/**
 * Attributes of tests, including those that macros generate, and code that checks whether it is compiled for
 * tests.
 */
const leftOver =
  /#\s*(?:!\s*)?\[(?:\s*\$|[^\]]{0,300}\b(?:test|ignore|should_panic)\b)|\bcfg\s*!\s*[([{][^)\]}]{0,300}\btest\b/;

/** Opens a documentation block that rustdoc runs. */
const runFence = /^\s*(?:```+|~~~+)[\s,]*(?:(?:rust|should_panic|edition\d+)[\s,]*)*$/;
const anyFence = /^\s*(?:```|~~~)/;

/**
 * Throws TESTS_INVALID, naming the first one, if there are tests that would not run. In the tests at `root`,
 * the attributes of tests that do run have been blanked.
 */
function refuseUnrunTests(root: Node, text: string): void {
  const nodes = descendants(root);
  const code = root.hasError
    ? text
    : nodes.filter(({ type }) => /comment$|_literal$/.test(type)).reduce(withoutNode, text);
  const position = leftOver.exec(code)?.index;
  const line = position === undefined ? documentedTest(nodes) : code.slice(0, position).split('\n').length;
  if (line === null) return;
  const source = text.split('\n')[line - 1]?.trim() ?? '';
  const hint = 'each test has to be a function with #[test], in the file or in a module';
  throw testsInvalid(`have a test that would not run on line ${line} (${source}): ${hint}`);
}

function withoutNode(text: string, { type, startIndex: start, endIndex: end }: Node): string {
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
