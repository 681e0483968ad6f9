import { literalPattern } from '../lib/core/literal-pattern.ts';
import type { Language } from '../lib/core/task.ts';
import { functionHeaders } from '../lib/syntax/source-text.ts';

/**
 * A whole program's part up to the body of its entry point, for rows without a declaration; null if the program does
 * not define it.
 */
export function declarationOf(program: string, entryPoint: string, language: Language): string | null {
  const name = new RegExp(`(?<![\\w$])${literalPattern(entryPoint)}(?![\\w$])`);
  if (language === 'python') {
    const header = new RegExp(
      `^[ \\t]*(?:async[ \\t]+)?def[ \\t]+${literalPattern(entryPoint)}[ \\t]*\\([\\s\\S]*?\\)[^\\n:]*:[ \\t]*(?:#[^\\n]*)?\\n`,
      'm',
    ).exec(program);
    return header && program.slice(0, header.index + header[0].length);
  }
  const depth = language === 'java' ? 1 : 0;
  const header = functionHeaders(program, depth).findLast(({ text }) => name.test(text));
  return header ? `${program.slice(0, header.end)}\n` : null;
}
