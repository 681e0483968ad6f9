/**
 * Makes foreign text (from models, candidates, datasets and servers) safe for a terminal. Characters that
 * would control the terminal, reorder letters or start a new line are replaced by their JavaScript escape
 * sequences: `\x1b`, `\n`, `\u202e`.
 */

/** For one line: line feeds and tabs are escaped too. */
export function printable(text: string): string {
  return text.replaceAll(hidden, escaped);
}

/** For text of several lines. */
export function printableLines(text: string): string {
  return text.replaceAll(hidden, letter => (letter === '\n' || letter === '\t' ? letter : escaped(letter)));
}

/** A text, or its beginning with an ellipsis if it has more than `length` characters (UTF-16 units). */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

/** Equivalent JSON on one line that is safe for a terminal. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    hidden,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Control characters, lone surrogates, directional controls, line separators and the zero-width no-break
 * space.
 */
const hidden = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(letter: string): string {
  const number = letter.charCodeAt(0).toString(16);
  return (
    short[letter] ?? (number.length <= 2 ? `\\x${number.padStart(2, '0')}` : `\\u${number.padStart(4, '0')}`)
  );
}

/** The source of a regular expression that matches just this text. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
