import type { Language } from '../../../core/task.ts';
import { openParser } from '../../../syntax/parser.ts';

/**
 * A declaration that says only what the names in `entryPoint`, separated by commas, are in a program: functions or
 * classes. A candidate's cannot be of another kind then. Undefined if the program defines none of them so, and for
 * languages other than Python, whose judges need no such declaration.
 */
export async function declaredKinds(
  language: Language,
  program: string,
  entryPoint: string,
): Promise<string | undefined> {
  if (language !== 'python') return undefined;
  const statements = (await openParser(language)).statements(program);
  const stubs = entryPoint.split(',').flatMap(alias => {
    const name = alias.trim();
    const kind = statements.findLast(({ defines }) => defines.includes(name))?.kind;
    if (kind === 'function') return [`def ${name}(*_, **__):\n    pass\n`];
    return kind === 'class' ? [`class ${name}:\n    pass\n`] : [];
  });
  return stubs.length === 0 ? undefined : stubs.join('');
}
