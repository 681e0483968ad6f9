/**
 * Breaks a long name, such as a task's id, into lines, after a separator where possible. Names of more than
 * `MAX_NAME_LINES` lines lose their middle.
 */
export function brokenName(name: string): string {
  const lines: string[] = [];
  for (const word of name.match(WORDS) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && lengthOf(last) + lengthOf(word) <= LINE_LETTERS)
      lines[lines.length - 1] += word;
    else lines.push(word);
  }
  if (lines.length <= MAX_NAME_LINES) return lines.join('\n');
  const half = MAX_NAME_LINES / 2;
  return [...lines.slice(0, half - 1), `${lines[half - 1]}…`, ...lines.slice(-half)].join('\n');
}

export const MAX_NAME_LINES = 4;
/** Longer lines would leave little room for the bars. */
const LINE_LETTERS = 26;
/** Up to and including a separator, and parts of what is too long for a line. */
const WORDS = new RegExp(`[^/:_. -]{0,${LINE_LETTERS - 1}}[/:_. -]|[^/:_. -]{1,${LINE_LETTERS}}`, 'gu');

function lengthOf(text: string): number {
  return [...text].length;
}
