/** Code as models see it: blank lines at both ends are removed, the first line's indentation is kept. */
export function shownCode(code: string): string {
  return code.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}
