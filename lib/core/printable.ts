/**
 * Foreign text on a terminal: that of models, candidates, data sets and servers. Whatever would drive the terminal,
 * reorder letters or fake another line is written as its escape sequence in JavaScript: `\x1b`, `\n`, `\u202e`.
 */

/** On one line: line feeds and tabs are escaped too. */
export function printable(text: string): string {
  return text.replaceAll(hidden, escaped);
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.replaceAll(hidden, letter => (letter === '\n' || letter === '\t' ? letter : escaped(letter)));
}

/** JSON on one line, with the same value, that a terminal can show. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    hidden,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Control characters, halves of pairs, controls of direction, separators of lines, and the invisible space. */
const hidden = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(letter: string): string {
  const number = letter.charCodeAt(0).toString(16);
  return (
    short[letter] ?? (number.length <= 2 ? `\\x${number.padStart(2, '0')}` : `\\u${number.padStart(4, '0')}`)
  );
}
