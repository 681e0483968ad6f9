import type { Node } from '@vscode/tree-sitter-wasm';
import { testsInvalid } from '../../../sandbox/errors.ts';
import { descendants, fieldText, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import type { JudgedTask } from '../toolchain.ts';
import { declaredSignature, type GoSignature } from './signature.ts';
import {
  type GoFile,
  type GoFunction,
  importLine,
  inPackage,
  isUnused,
  readGoFile,
  standardImport,
} from './source-file.ts';

/** File names that appear in the compiler's messages. */
export const candidateFile = 'candidate.go';
export const testsFile = 'tests.go';

/** The judge's files: the tests, and the task's helpers with a stub instead of the entry point. */
export function judgeSources(
  parser: SyntaxParser,
  { declaration, entryPoint, tests }: JudgedTask,
): Record<string, string> {
  const signature = declaredSignature(parser, declaration, entryPoint);
  if (/\berror\b/.test(signature.results.join(' ')) && identity.test(tests))
    throw testsInvalid('compare errors by identity, which is lost between processes: compare err.Error()');
  const file = readGoFile(parser, tests);
  const run = file.functions.filter(({ isTest }) => isTest);
  refuseUnrunTests(parser, tests, run);
  if (run.length === 0) throw testsInvalid('have no function Test…(t *testing.T)');
  // Failures are only counted if they are assertions.
  const mustAssert = !failure.test(tests);
  const helpers = readGoFile(parser, declaration.slice(0, signature.start));
  return {
    [testsFile]: inPackage('main', testsFile, file, imported => isUnused(file, imported)),
    'helpers.go': inPackage('main', 'helpers.go', helpers, imported => isUnused(helpers, imported)),
    'stub.go': [
      `package main; ${importLine(['hefixJudge "hefix/judge"', 'hefixTesting "testing"', ...typeImports(signature)])}`,
      stub(signature),
      `func main() { hefixJudge.Run("${signature.name}", ${mustAssert}, ${run.map(testCall).join(', ')}) }\n`,
    ].join('\n'),
  };
}

/** Calls that fail a test without an assertion; `err.Error()` is not one. */
const failure = /\.(?:Errorf|Fatalf?|Fail(?:Now)?|Skip\w*)\(|\.Error\((?!\s*\))|\bpanic\(/;

/** How tests check whether an error is a particular one: errors.Is, and `err == io.EOF`. */
const identity = /\berrors\.(?:Is|As)\(|[!=]=\s*(?:\w+\.)?(?:Err[A-Z]\w*|EOF)\b/;

/** The candidate's files: its own, and one that serves calls before its `main` would run. */
export function candidateSources(
  parser: SyntaxParser,
  { declaration, entryPoint }: Pick<JudgedTask, 'declaration' | 'entryPoint'>,
  candidate: string,
): Record<string, string> {
  const signature = declaredSignature(parser, declaration, entryPoint);
  const { name, parameters, results } = signature;
  const file = readGoFile(parser, candidate);
  const hasMain = file.functions.some(each => each.name === 'main');
  return {
    [candidateFile]: candidateSource(parser, 'main', file, declaration),
    'serve.go': [
      `package main; ${importLine(['hefixWire "hefix/wire"', ...typeImports(signature)])}`,
      `var hefixFunction func(${parameters.join(', ')}) (${results.join(', ')}) = ${name}`,
      'func init() { hefixWire.Serve(hefixFunction) }',
      hasMain ? '' : 'func main() {}\n',
    ].join('\n'),
  };
}

/** Only the candidate. */
export function checkedSources(
  parser: SyntaxParser,
  candidate: string,
  declaration: string,
): Record<string, string> {
  return {
    [candidateFile]: candidateSource(parser, 'candidate', readGoFile(parser, candidate), declaration),
  };
}

/** Removes the task's unused imports, which are not the candidate's errors. */
function candidateSource(parser: SyntaxParser, name: string, file: GoFile, declaration: string): string {
  const declared = new Set(readGoFile(parser, declaration).imports.map(({ spec }) => spec));
  return inPackage(
    name,
    candidateFile,
    file,
    imported => declared.has(imported.spec) && isUnused(file, imported),
  );
}

/** A function that sends its arguments to the candidate and returns the reply. */
function stub({ name, parameters, results }: GoSignature): string {
  const list = parameters.map((type, index) => `a${index} ${type}`).join(', ');
  const variables = results.map((type, index) => `\tvar r${index} ${type}\n`).join('');
  const pointers = (letter: string, count: number): string =>
    `[]any{${Array.from({ length: count }, (_, index) => `&${letter}${index}`).join(', ')}}`;
  const values = results.map((_, index) => `r${index}`).join(', ');
  return [
    `func ${name}(${list}) (${results.join(', ')}) {`,
    `${variables}\thefixJudge.Call("${name}", ${pointers('a', parameters.length)}, ${pointers('r', results.length)})`,
    `\treturn ${values}\n}`,
  ].join('\n');
}

function testCall({ name }: GoFunction): string {
  return `func() { ${name}(hefixTesting.New("${name}")) }`;
}

/** Imports of the packages that a signature refers to. */
function typeImports({ parameters, results }: GoSignature): string[] {
  const names = [...parameters, ...results].join(' ').match(/\b\w+(?=\.\w)/g) ?? [];
  return [...new Set(names)].flatMap(standardImport);
}

/** Names that `go test` treats as a test, an example or a fuzz test. */
const named = /^(?:Test|Example|Fuzz)(?!\p{Ll})/u;
const output = /^(?:\/\/|\/\*)\s*(?:unordered )?output:/im;

/** Throws TESTS_INVALID, naming the first one, if `go test` would run more of the file than its `tests`. */
function refuseUnrunTests(parser: SyntaxParser, text: string, tests: readonly GoFunction[]): void {
  const unrun = parser.read(text, root => {
    const runs = new Set(tests.map(({ name }) => name));
    const name = namedChildren(root)
      .filter(node => node.type === 'function_declaration')
      .filter(node => !/^Example/.test(fieldText(node, 'name')) || hasOutput(node))
      .map(node => fieldText(node, 'name'))
      .find(name => named.test(name) && !runs.has(name));
    return name ?? (root.hasError ? hiddenTest(text, runs) : undefined);
  });
  if (unrun !== undefined)
    throw testsInvalid(
      `have ${unrun}, which would not run: each test has to be a function Test…(t *testing.T)`,
    );
}

/** Examples without an output comment are only compiled. */
function hasOutput(example: Node): boolean {
  return descendants(example).some(({ type, text }) => type === 'comment' && output.test(text));
}

/** A test in text that does not parse. */
function hiddenTest(text: string, runs: ReadonlySet<string>): string | undefined {
  const names = [...text.matchAll(/^[ \t]*func\s+(\w+)/gm)].map(([, name = '']) => name);
  return names.find(name => named.test(name) && !runs.has(name));
}
