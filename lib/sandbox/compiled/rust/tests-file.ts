import type { Node } from '@vscode/tree-sitter-wasm';
import { namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';

/** Tests as an ordinary program: without the attributes that leave them to rustc's own runner. */
export interface RustTests {
  /** Lines stay where they are. */
  readonly text: string;
  /** Of each test, what runs it and whether it has to panic: `(tests::test_add as fn(), false)`. */
  readonly runners: readonly string[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function readTests(parser: SyntaxParser, tests: string): RustTests {
  const edits: Edit[] = [];
  const runners: string[] = [];
  parser.read(tests, root => collect(root, [], edits, runners));
  const text = edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), tests);
  return { text, runners };
}

function collect(parent: Node, path: readonly string[], edits: Edit[], runners: string[]): void {
  let attributes: Node[] = [];
  for (const node of namedChildren(parent)) {
    if (node.type === 'attribute_item') {
      attributes.push(node);
      continue;
    }
    if (/comment$/.test(node.type)) continue;
    const own = attributes;
    attributes = [];
    edits.push(
      ...own
        .filter(({ text }) => /^#\[\s*(?:test|cfg\(\s*test\s*\)|should_panic.*)\s*\]$/s.test(text))
        .map(blank),
    );
    const name = node.childForFieldName('name')?.text ?? '';
    const body = node.childForFieldName('body');
    if (node.type === 'mod_item' && body) {
      collect(body, [...path, name], edits, runners);
      edits.push(...published(node));
    } else if (node.type === 'function_item' && own.some(({ text }) => /^#\[\s*test\s*\]$/.test(text))) {
      runners.push(runner([...path, name].join('::'), node, own));
      edits.push(...published(node));
    }
  }
}

/** What is private in a module can only be called from inside. */
function published(node: Node): Edit[] {
  if (namedChildren(node).some(({ type }) => type === 'visibility_modifier')) return [];
  return [{ start: node.startIndex, end: node.startIndex, text: 'pub ' }];
}

function blank({ startIndex: start, endIndex: end, text }: Node): Edit {
  return { start, end, text: text.replace(/[^\n]/g, ' ') };
}

function runner(path: string, node: Node, attributes: readonly Node[]): string {
  const shouldPanic = attributes.some(({ text }) => /^#\[\s*should_panic/.test(text));
  const run = node.childForFieldName('return_type') ? `(|| { ${path}().unwrap(); })` : path;
  return `(${run} as fn(), ${shouldPanic})`;
}
