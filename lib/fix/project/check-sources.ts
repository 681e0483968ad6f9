import { execa } from 'execa';
import { sourceSyntax } from '../../core/errors.ts';
import type { OpenProject } from './open-project.ts';

/**
 * The file to repair must parse, since nothing in it can be run otherwise. In a whole project, syntax errors
 * are left to the tests.
 * @throws HefixError `SOURCE_SYNTAX`
 */
export async function checkSources({ ownFile, language, source }: OpenProject): Promise<void> {
  if (ownFile === null) return;
  const { bytes } = source(ownFile);
  const [command, ...args] =
    language === 'python' ? ['python3', '-I', '-c', PARSE] : [process.execPath, '--check', '-'];
  const { exitCode, stdout } = await execa(command ?? '', args, { input: bytes, reject: false });
  if (language === 'python' && exitCode === 3) throw sourceSyntax(ownFile, Number(stdout) || null);
}

const PARSE = `import ast, sys
try:
    ast.parse(sys.stdin.buffer.read())
except (SyntaxError, ValueError) as error:
    print(getattr(error, 'lineno', 0) or 0)
    sys.exit(3)`;
