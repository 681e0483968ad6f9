import type { Language } from '../core/task.ts';

/** What people and models call the language. */
export const languageNames: Readonly<Record<Language, string>> = {
  python: 'Python',
  js: 'JavaScript',
  java: 'Java',
  go: 'Go',
  cpp: 'C++',
  rust: 'Rust',
};

/** The info string that follows the opening fence in Markdown. */
const fenceTags: Readonly<Record<Language, string>> = {
  python: 'python',
  js: 'javascript',
  java: 'java',
  go: 'go',
  cpp: 'cpp',
  rust: 'rust',
};

/** Code as a Markdown block; the fence is longer than any run of backticks inside, as CommonMark asks. */
export function fenced(language: Language, code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${fenceTags[language]}\n${shownCode(code)}\n${fence}`;
}

/** Code as it stands in a fence: blank lines at both ends go; the indentation of the first line stays. */
export function shownCode(code: string): string {
  return code.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}
