/**
 * The white space of Python's `str.strip`; JavaScript's `trim` has fewer control characters, and the byte
 * order mark.
 */
const SPACE = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const AT_START = new RegExp(`^${SPACE}+`);
const AT_END = new RegExp(`${SPACE}+$`);

/** Python's `text.strip()`. */
export function strip(text: string): string {
  return stripEnd(stripStart(text));
}

/** Python's `text.lstrip()`. */
export function stripStart(text: string): string {
  return text.replace(AT_START, '');
}

/** Python's `text.rstrip()`. */
export function stripEnd(text: string): string {
  return text.replace(AT_END, '');
}
