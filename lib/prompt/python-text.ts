/** What Python's `str.strip` and its kin take for white space; JavaScript's `trim` knows fewer controls, and the byte order mark. */
const SPACE = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const AT_START = new RegExp(`^${SPACE}+`);
const AT_END = new RegExp(`${SPACE}+$`);

/** `text.strip()` as Python has it. */
export function strip(text: string): string {
  return stripEnd(text.replace(AT_START, ''));
}

/** `text.rstrip()` as Python has it. */
export function stripEnd(text: string): string {
  return text.replace(AT_END, '');
}
