import { execa } from 'execa';
import { preparePython } from '../../sandbox/python/host/python-programs.ts';
import { descendants } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { sourceSyntax } from '../errors.ts';
import { hostPython } from '../runners/test-jail.ts';
import type { OpenProject } from './open-project.ts';

/**
 * The file to repair must parse, since nothing in it can be run otherwise. In a whole project, syntax errors
 * are left to the tests.
 * @throws HefixError `SOURCE_SYNTAX`
 */
export async function checkSources(
  { targetFile, language, root, source, parser, check }: OpenProject,
  signal: AbortSignal,
): Promise<void> {
  if (targetFile === null) return;
  const file = source(targetFile);
  const { bytes, text } = file;
  await check([file], signal);
  if (language === 'js') {
    const line = parser.excessOf(text) === null ? faultyLine(parser, text) : null;
    if (line !== null) throw sourceSyntax(targetFile, line);
    return;
  }
  const { executable } = await preparePython(hostPython(root));
  const options = { input: bytes, reject: false, cwd: '/' } as const;
  const { exitCode, stdout } = await execa(executable, ['-I', '-S', '-c', PARSE], options);
  // The project's interpreter may know newer syntax, and must not run outside of the jail.
  if (exitCode === 3 && faultyLine(parser, text) !== null)
    throw sourceSyntax(targetFile, Number(stdout) || null);
}

const PARSE = `import ast, sys
try:
    ast.parse(sys.stdin.buffer.read())
except (SyntaxError, ValueError) as error:
    print(getattr(error, 'lineno', 0) or 0)
    sys.exit(3)`;

/** The 1-based line of the first syntax error, as far as tree-sitter can tell; null if there is none. */
export function faultyLine(parser: SyntaxParser, text: string): number | null {
  return parser.read(text, root =>
    root.hasError
      ? (descendants(root).find(each => each.isError || each.isMissing)?.startPosition.row ?? 0) + 1
      : null,
  );
}
