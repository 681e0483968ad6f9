import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import { testsInvalid } from '../../errors.ts';
import type { GoFunction } from './source-file.ts';

/** Names that `go test` treats as a test, an example or a fuzz test. */
const named = /^(?:Test|Example|Fuzz)(?!\p{Ll})/u;
const output = /^(?:\/\/|\/\*)\s*(?:unordered )?output:/im;

/** Throws TESTS_INVALID, naming the first one, if `go test` would run more of the file than its `tests`. */
export function refuseUnrunTests(parser: SyntaxParser, text: string, tests: readonly GoFunction[]): void {
  const unrun = parser.read(text, root => {
    const runs = new Set(tests.map(({ name }) => name));
    const name = namedChildren(root)
      .filter(node => node.type === 'function_declaration')
      .filter(node => !/^Example/.test(nameOf(node)) || hasOutput(node))
      .map(nameOf)
      .find(name => named.test(name) && !runs.has(name));
    return name ?? (root.hasError ? hiddenTest(text, runs) : undefined);
  });
  if (unrun !== undefined)
    throw testsInvalid(
      `have ${unrun}, which would not run: each test has to be a function Test…(t *testing.T)`,
    );
}

function nameOf(node: Node): string {
  return node.childForFieldName('name')?.text ?? '';
}

/** Examples without an output comment are only compiled. */
function hasOutput(example: Node): boolean {
  return descendants(example).some(({ type, text }) => type === 'comment' && output.test(text));
}

/** A test in text that does not parse. */
function hiddenTest(text: string, runs: ReadonlySet<string>): string | undefined {
  const names = [...text.matchAll(/^\s*func\s+(\w+)/gm)].map(([, name = '']) => name);
  return names.find(name => named.test(name) && !runs.has(name));
}
