import { execa } from 'execa';
import { sourceSyntax } from '../../core/errors.ts';
import { descendants } from '../../syntax/nodes.ts';
import type { OpenProject } from './open-project.ts';

/**
 * The file to repair must parse, since nothing in it can be run otherwise. In a whole project, syntax errors
 * are left to the tests.
 * @throws HefixError `SOURCE_SYNTAX`
 */
export async function checkSources({ ownFile, language, source, parser }: OpenProject): Promise<void> {
  if (ownFile === null) return;
  const { bytes, text } = source(ownFile);
  if (language === 'js') {
    const line = parser.read(text, root =>
      root.hasError
        ? (descendants(root).find(each => each.isError || each.isMissing)?.startPosition.row ?? 0) + 1
        : null,
    );
    if (line !== null) throw sourceSyntax(ownFile, line);
    return;
  }
  const { exitCode, stdout } = await execa('python3', ['-I', '-c', PARSE], { input: bytes, reject: false });
  if (exitCode === 3) throw sourceSyntax(ownFile, Number(stdout) || null);
}

const PARSE = `import ast, sys
try:
    ast.parse(sys.stdin.buffer.read())
except (SyntaxError, ValueError) as error:
    print(getattr(error, 'lineno', 0) or 0)
    sys.exit(3)`;
