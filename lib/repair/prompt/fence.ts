import type { Language } from '../../core/task.ts';
import { shownCode } from '../../syntax/shown-code.ts';

/** The language's usual name. */
export const languageNames: Readonly<Record<Language, string>> = {
  python: 'Python',
  js: 'JavaScript',
  java: 'Java',
  go: 'Go',
  cpp: 'C++',
  rust: 'Rust',
};

/** Code as a Markdown block; the fence is longer than any run of backticks inside, as CommonMark requires. */
export function fenced(language: Language, code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language === 'js' ? 'javascript' : language}\n${shownCode(code)}\n${fence}`;
}
